"""Compacted logs: the same messages in fewer lines, with what tables need of the deltas."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nb_agentscope.event import CustomEvent
from nb_agentscope.stream import EventLog, Moment, Record, View, header_event, tidy, verify
from nb_agentscope.stream._compact import compact
from nb_agentscope.stream._disk import encoded, line_of
from nb_agentscope.stream._record import direction_of
from tests import recorded
from tests.strategies import any_streams, samples, valid_streams
from tests.stream.checks import folded, quiet
from tests.stream.making import event

law = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def records(events, clock=lambda i: i / 8):
    made = []
    for i, one in enumerate(events):
        mono = clock(i)
        at = None if mono is None else f"2026-03-01T10:00:{i // 8 % 60:02}.{i % 8 * 125:03}+00:00"
        made.append(Record(i, at, mono, direction_of(one), None, one))
    return made


def unique(events):
    """As a log keeps them: each id once."""
    return list({one.id: one for one in events}.values())


def events_of(records):
    return [record.event for record in records]


def shown(records):
    """Everything that a view has of a log."""
    view = View.of(records)
    lanes = {None: view, **view.lanes}
    return {
        lane: ([msg.model_dump_json() for msg in each.msgs], each.progress.model_dump_json())
        for lane, each in lanes.items()
    }


END = CustomEvent(id="end", name="n")


def text(delta, id, block="b", **fields):
    return event("TEXT_BLOCK_DELTA", id=id, delta=delta, block_id=block, **fields)


def thought(delta, id, block="k"):
    return event("THINKING_BLOCK_DELTA", id=id, delta=delta, block_id=block)


# -- laws --------------------------------------------------------------------------------------------------------------------


@law
@given(any_streams())
def test_a_compacted_log_folds_and_shows_the_same(events):
    raw = records(unique(events))
    small = list(compact(raw))
    with quiet():
        assert folded(events_of(small)) == folded(events_of(raw))
        assert folded(tidy(events_of(small))) == folded(tidy(events_of(raw)))
        assert shown(small) == shown(raw)


@law
@given(any_streams())
def test_a_second_pass_changes_nothing(events):
    for clock in (lambda i: i / 8, lambda _: None, lambda i: i * 7 % 11):
        once = list(compact(records(unique(events), clock)))
        assert list(compact(once)) == once


@law
@given(valid_streams())
def test_order_rules_stay_kept(events):
    assert verify(events_of(compact(records(events))), complete=True) == []


@law
@given(any_streams(), st.booleans())
def test_a_saved_compacted_log_comes_back(tmp_path_factory, events, plain):
    log = EventLog()
    for record in records(unique(events), (lambda _: None) if plain else (lambda i: i / 8)):
        log._keep(record)
    path = tmp_path_factory.mktemp("logs") / "small.jsonl"
    log.save(path, compact=True)
    back = EventLog.load(path)
    assert back.records == log.compact().records
    assert back.compact().records == back.records
    assert [record.seq for record in back.records] == list(range(len(back)))


def measured(records):
    """What tables need: for each block its non-empty and its empty deltas, their number, first and last."""
    found = {}
    for record in records:
        one = record.event
        if not one.type.endswith("_DELTA"):
            continue
        id = getattr(one, "tool_call_id", None) or one.block_id
        payload = getattr(one, "delta", None) or getattr(one, "data", None) or getattr(one, "url", None)
        key = one.reply_id, str(one.metadata), one.type, id, bool(payload)
        n = 1 if record.compacted is None else record.compacted.n
        first = Moment(record.recorded_seq, record.at, record.mono, one.created_at)
        last = first if record.compacted is None else record.compacted.last or first
        found.setdefault(key, []).append((n, first, last))
    return {
        key: (sum(n for n, _, _ in parts), min(first for _, first, _ in parts), max(last for _, _, last in parts))
        for key, parts in found.items()
    }


@law
@given(any_streams())
def test_counts_and_first_and_last_of_the_deltas_stay_known(events):
    raw = records(unique(events))
    assert measured(compact(raw)) == measured(raw)


@law
@given(any_streams(), st.integers(1, 9))
def test_the_number_of_different_times_is_right(events, pace):
    raw = records(unique(events), lambda i: float(i // pace))
    small = list(compact(raw))
    mono = {record.recorded_seq: record.mono for record in raw}
    joined = [record for record in small if record.compacted is not None and record.compacted.n > 1]
    for record in joined:
        inside = range(record.compacted.seq, record.compacted.last.seq + 1)
        assert 1 <= record.compacted.times <= len({mono[seq] for seq in inside})
        assert (record.compacted.times == 1) == (record.mono == record.compacted.last.mono)


def test_the_laws_join_something():
    raw = [records(unique(events)) for events in samples(40)]
    assert sum(len(list(compact(one))) for one in raw) < 0.9 * sum(map(len, raw))


# -- one by one --------------------------------------------------------------------------------------------------------------


def test_a_block_is_joined_over_what_lies_between():
    deltas = [text("a", "1"), thought("x", "2"), text("", "3"), text("b", "4"), CustomEvent(id="5", name="n")]
    small = list(compact(records([*deltas, thought("y", "6"), text("c", "7"), text("", "8"), END])))
    assert [(one.event.id, getattr(one.event, "delta", None)) for one in small] == [
        ("1", "abc"),
        ("2", "xy"),
        ("3", ""),
        ("5", None),
        ("end", None),
    ]
    first, _, empty, custom, _ = small
    at = "2026-03-01T10:00:00.750+00:00"
    assert first.compacted == (0, 3, 3, Moment(6, at, 0.75, first.event.created_at))
    assert (empty.compacted.seq, empty.compacted.n, empty.compacted.last.seq) == (2, 2, 7)
    assert (custom.seq, custom.recorded_seq, custom.compacted.n, custom.compacted.last) == (3, 4, 1, None)


def test_the_line_says_what_it_stands_for():
    deltas = [text(str(i), str(i), at=f"2026-03-01T09:00:0{i}Z") for i in range(3)]
    joined, moved = compact(records([*deltas, CustomEvent(id="5", name="n")]))
    assert json.loads(line_of(joined))["recorded"] == {
        "seq": 0,
        "at": "2026-03-01T10:00:00.000+00:00",
        "mono": 0.0,
        "dir": "out",
        "by": None,
        "n": 3,
        "times": 3,
        "last": {
            "seq": 2,
            "at": "2026-03-01T10:00:00.250+00:00",
            "mono": 0.25,
            "created_at": "2026-03-01T09:00:02Z",
        },
    }
    at = "2026-03-01T10:00:00.375+00:00"
    assert json.loads(line_of(moved))["recorded"] == {
        "seq": 3, "at": at, "mono": 0.375, "dir": "out", "by": None, "n": 1
    }  # fmt: skip


@pytest.mark.parametrize(
    "between",
    [
        event("TEXT_BLOCK_END", id="x", block_id="b"),
        event("TEXT_BLOCK_START", id="x", block_id="b"),
        event("MODEL_CALL_END", id="x", input_tokens=1, output_tokens=1),
        event("REPLY_START", id="x", session_id="s", name="a"),
        event("REPLY_END", id="x", session_id="s", finished_reason="completed"),
        event("TEXT_BLOCK_DELTA", id="x", block_id="b", delta="x", metadata={"k": 1}),
        event("TEXT_BLOCK_DELTA", id="x", block_id="b", delta="x").model_copy(update={"reply_id": "new"}),
        header_event("again"),
    ],
    ids=lambda one: str(one.type),
)
def test_what_keeps_deltas_apart(between):
    small = list(compact(records([text("a", "1"), between, text("b", "2")])))
    assert [one.event.id for one in small] == ["1", between.id, "2"]
    assert [one.compacted for one in small] == [None] * 3


def test_deltas_on_different_clocks_stay_apart():
    back = iter([5.0, 6.0, 1.0, 2.0, 3.0])
    small = list(compact(records([*[text(x, x) for x in "abcd"], END], lambda _: next(back))))
    assert [one.event.delta for one in small[:-1]] == ["ab", "cd"]
    some = iter([5.0, None, None])
    assert len(list(compact(records([*[text(x, x) for x in "ab"], END], lambda _: next(some))))) == 3
    unreadable = [text("a", "1"), text("b", "2", at="soon"), text("c", "3"), END]
    assert len(list(compact(records(unreadable, lambda _: None)))) == 4


def test_a_log_that_breaks_off_ends_where_it_did():
    lane = {"metadata": {"source": "a/helper"}, "block": "k"}
    begin = [text("", "s"), text("", "ls", **lane)]  # what a reply says first stands by itself
    deltas = [
        text("a", "1"),
        text("b", "2"),
        text("c", "3"),
        *[text(x, f"l{x}", **lane) for x in "uvw"],
        text("d", "4"),
    ]
    small = list(compact(records([*begin, *deltas])))
    assert [(one.event.id, one.event.delta) for one in small[2:]] == [
        ("1", "abc"),
        ("lu", "uv"),
        ("lw", "w"),
        ("4", "d"),
    ]
    assert list(compact(small)) == small
    whole = compact(records([*begin, *deltas, text("x", "lx", **lane), text("e", "5")]))
    assert [one.event.delta for one in whole][2:] == ["abcd", "uvw", "x", "e"]


def test_parts_of_a_result_keep_their_order():
    def piece(**fields):
        kind = "TOOL_RESULT_TEXT_DELTA" if "delta" in fields else "TOOL_RESULT_DATA_DELTA"
        return event(kind, tool_call_id="c", **fields)

    image = {"block_id": "o", "media_type": "image/png"}
    parts = [piece(id="1", delta="a"), piece(id="2", delta="b"), piece(id="3", data="YQ==", **image)]
    parts += [piece(id="4", data="Yg==", **image), piece(id="5", delta="c")]
    small = list(compact(records(parts)))
    assert [(one.event.id, getattr(one.event, "delta", None) or one.event.data) for one in small] == [
        ("1", "ab"),
        ("3", "YWI="),
        ("5", "c"),
    ]


def test_the_log_itself_stays_as_it_is(tmp_path):
    log = EventLog(tmp_path / "run.jsonl")
    for one in [text("a", "1"), text("b", "2"), END]:
        log.append(one)
    small = log.compact()
    assert (len(log), len(small), small.closed, small.path) == (3, 2, True, None)
    with pytest.raises(ValueError, match=r"still grows at .*run\.jsonl.*close"):
        log.save(tmp_path / "run.jsonl", compact=True)
    log.save(tmp_path / "small.jsonl", compact=True)
    log.append(text("c", "3"))
    log.close()
    assert len(EventLog.load(tmp_path / "run.jsonl")) == 4
    log.save(tmp_path / "run.jsonl", compact=True)
    assert [getattr(one, "delta", None) for one in EventLog.load(tmp_path / "run.jsonl")] == ["ab", None, "c"]


def test_a_compacted_log_can_be_continued(tmp_path):
    log = EventLog()
    for one in [text("a", "1"), text("b", "2"), CustomEvent(id="3", name="n")]:
        log.append(one)
    log.save(tmp_path / "run.jsonl", compact=True)
    again = EventLog(tmp_path / "run.jsonl")
    again.append(CustomEvent(id="4", name="more"))
    again.close()
    back = EventLog.load(tmp_path / "run.jsonl")
    assert [record.seq for record in back.records] == [0, 1, 2]
    assert [record.recorded_seq for record in back.records] == [0, 2, 3]


@pytest.mark.parametrize(
    ("recorded", "where"),
    [
        ({"n": 0}, "recorded.n"),
        ({"n": "many"}, "recorded.n"),
        ({"n": 2, "times": -1}, "recorded.times"),
        ({"n": 2, "last": {"seq": 1}}, "recorded.last.created_at"),
        ({"n": 2, "last": 3}, "recorded.last"),
    ],
)
def test_bad_values_are_named(recorded, where, tmp_path):
    row = {**text("a", "1").model_dump(mode="json"), "recorded": recorded}
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(ValueError, match=f"line 1: Bad value at {where}"):
        EventLog.load(tmp_path / "a.jsonl")


# -- size and AgentScope -----------------------------------------------------------------------------------------------------


def test_a_thousand_deltas_are_one_line():
    deltas = [text("12345678", str(i)) for i in range(1000)]
    lines = [encoded(line_of(record)) for record in compact(records([*deltas, END]))]
    assert len(lines) == 2
    assert len(lines[0]) < 1000 * 8 + 500


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("scenario", recorded.SCENARIOS)
def test_agentscope_folds_a_compacted_log_to_the_same(scenario, tmp_path):
    pytest.importorskip("agentscope")
    from agentscope import event as event_module
    from agentscope import message as message_module

    from tests.stream.test_agentscope_reads_logs import folded_by_agentscope, log_of

    log_of(recorded.events(scenario)).save(tmp_path / "a.jsonl", compact=True)
    theirs = folded_by_agentscope(tmp_path / "a.jsonl", (event_module, message_module))
    assert recorded.differences(recorded.messages(scenario), theirs) == []
