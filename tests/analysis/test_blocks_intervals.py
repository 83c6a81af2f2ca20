"""Blocks and intervals."""

import pytest

from nb_agentscope.analysis import blocks_df, intervals_df
from tests.analysis.logs import Made, row
from tests.recorded import VECTORS


def test_blocks():
    log = Made().start(0).text(1, 2, 3, 4).call(5, 6, 7)
    log(7, "HINT_BLOCK", block_id="h", source="clock", hint="It is 9.").result(8, 9, 9.5, 10)
    frame = blocks_df(
        log.rows, columns=["block_id", "order", "kind", "duration_s", "chars", "n_deltas", "text", "complete"]
    )
    assert frame["kind"].tolist() == ["text", "tool_call", "hint", "tool_result"]
    assert frame["duration_s"].tolist() == pytest.approx([3, 2, 0, 2])
    assert frame["chars"].tolist() == [10, 8, 8, 10]
    assert frame["text"].tolist() == ["word word ", '{"x": 1}', "It is 9.", "line\nline\n"]
    assert frame["order"].tolist() == [0, 1, 2, 3]


def test_a_final_text_counts():
    log = Made().start(0).text(1, 2, 3)
    log.rows[-1]["text"] = "Other."
    assert row(blocks_df(log.rows, columns=["chars", "text"])) == {"chars": 6, "text": "Other."}


def test_data_and_reused_ids():
    log = Made().start(0)
    for t in (1, 4):
        log(t, "DATA_BLOCK_START", block_id="d", media_type="image/png", name=None)
        log(t + 1, "DATA_BLOCK_DELTA", block_id="d", media_type="image/png", data="aGVsbG8=", url=None)
        log(t + 2, "DATA_BLOCK_END", block_id="d")
    frame = blocks_df(log.rows)
    assert frame["block_id"].tolist() == ["d", "d#2"]
    assert (frame["bytes"].tolist(), frame["media_type"].tolist()) == ([5, 5], ["image/png"] * 2)


def test_intervals_and_what_was_critical():
    log = Made().start(0).model(1).call(1, 2, id="a").call(2, 2.5, id="b").model_end(3)
    log.result(4, 6, id="a").result(4, 9, id="b").model(10).model_end(12).end(12)
    frame = intervals_df(log.rows)
    assert frame["kind"].tolist() == ["model", "tool", "tool", "model"]
    assert frame["duration_s"].tolist() == pytest.approx([2, 2, 5, 2])
    assert frame["critical"].tolist() == [True, False, True, True]  # 12 <- 10, before it b (9 <- 4), before it 3 <- 1
    assert frame["lane"].tolist() == ["boss", "read", "read", "boss"]


def test_recorded_waits():
    frame = intervals_df(VECTORS / "hitl_partial.jsonl", where={"kind": "human"})
    assert frame["duration_s"].tolist() == pytest.approx([0.06866, 0.022788, 0.05702])
