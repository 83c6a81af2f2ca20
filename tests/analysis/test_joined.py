"""Tables of logs with joined deltas, by hand."""

import pytest

from nb_agentscope.analysis import blocks_df, events_df, model_calls_df, replies_df, tool_calls_df
from tests.analysis.logs import Made, moment, row


def joined(made, n, seq, last):
    """The newest row of the log stands for n deltas, up to the last."""
    made.rows[-1]["recorded"] |= {
        "n": n,
        "times": n,
        "last": {"seq": seq, "at": moment(last), "mono": 500 + last, "created_at": moment(last)},
    }


def log():
    """Text up to 4 s and, meanwhile, arguments up to 5 s: each joined in one line; then nothing until 6 s."""
    made = Made().start(0).model(1)
    made(2, "TEXT_BLOCK_START", block_id="b")(2, "TEXT_BLOCK_DELTA", block_id="b", delta="hello")
    joined(made, 3, 20, 4.0)
    made(2.5, "TOOL_CALL_START", tool_call_id="c", tool_call_name="read")(
        2.5, "TOOL_CALL_DELTA", tool_call_id="c", delta="{}"
    )
    joined(made, 2, 21, 5.0)
    return made


def test_first_and_last_delta_over_all_blocks_decide():
    made = log().model_end(6)
    call = row(model_calls_df(made.rows))
    assert (call["n_deltas"], call["ttft_s"], call["generation_s"], call["tpot_s"]) == (5, 1, 3, 0.75)
    assert call["streamed"] is True
    assert call["itl_p50_s"] is call["itl_p95_s"] is call["itl_max_s"] is None
    assert blocks_df(made.rows)["n_deltas"].tolist() == [3, 2]


def test_one_time_is_not_streamed():
    made = Made().start(0).model(1)(2, "TEXT_BLOCK_DELTA", block_id="b", delta="hello")
    joined(made, 3, 20, 2.0)
    assert row(model_calls_df(made.rows))["streamed"] is False


def test_a_reply_without_end_is_as_new_as_its_last_delta():
    made = log()
    made.rows[-1]["recorded"]["last"]["seq"] = 19  # the text ended after the arguments
    assert row(replies_df(made.rows))["wall_s"] == 4


def test_media_beside_the_log_have_their_size():
    made = Made().start(0).call(1, 2)
    made(3, "TOOL_RESULT_START", tool_call_id="c1", tool_call_name="read")
    made(4, "TOOL_RESULT_DATA_DELTA", tool_call_id="c1", block_id="d", media_type="image/png", data="", url=None)
    made.rows[-1]["recorded"]["media"] = [{"at": ["data"], "sha256": "ab" * 32, "size": 1234, "ending": ".png"}]
    call = row(tool_calls_df(made.rows))
    assert (call["result_bytes"], call["n_images"], call["n_deltas"], call["first_result_s"]) == (1234, 1, 1, 1)
    event = row(events_df(made.rows, columns=["data_bytes", "data_sha256"]), -1)
    assert event == {"data_bytes": 1234, "data_sha256": "ab" * 32}


@pytest.mark.parametrize(
    "foreign",
    [
        {"n": "3"},
        {"n": 2},
        {"n": 2, "last": []},
        {"n": 2, "last": {"seq": None}},
        {"media": [{"at": ["data"], "size": -1}, 3]},
    ],
)
def test_what_is_not_of_this_form_is_one_event(foreign):
    made = Made().start(0).model(1)(2, "TEXT_BLOCK_DELTA", block_id="b", delta="hello")
    made.rows[-1]["recorded"] |= foreign
    assert row(model_calls_df(made.rows))["n_deltas"] == 1
