"""What holds for the tables of any log."""

import itertools
import json
from random import Random

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nb_agentscope.analysis import TABLES, events_df, tables, usage_df
from nb_agentscope.analysis._columns import LOG_TABLES as NAMES
from nb_agentscope.stream import EventLog
from nb_agentscope.stream._record import Record, direction_of
from tests.analysis.logs import moment
from tests.recorded import SCENARIOS, VECTORS, synthetic
from tests.strategies import any_streams, broken_stream, valid_streams

RANDOM = st.integers(0, 2**32)
EXAMPLES = settings(max_examples=12, deadline=None)


def recorded(events, seed=0):
    """The events as a recorder logs them, at times of its own."""
    random, t, records = Random(seed), 0.0, []
    for event in events:
        t += random.choice([0.0, 0.001, 0.02, 3.0])
        records.append(Record(len(records), moment(t), 77 + t, direction_of(event), None, event))
    return records


def log_of(records):
    log = EventLog()
    for record in records:
        log._keep(record)
    return log


def same(left, right, *, but=("run",)):
    for name, frame in left.items():
        pd.testing.assert_frame_equal(frame.drop(columns=list(but)), right[name].drop(columns=list(but)))


def all_tables(log, **options):
    return tables(log, NAMES, **options)


@EXAMPLES
@given(any_streams(), RANDOM)
def test_sums_agree(events, seed):
    made = all_tables(log_of(recorded(events, seed)))
    replies, calls = made["replies"], made["model_calls"]
    for column in ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"):
        total = calls[column].sum()
        assert replies[f"own_{column}"].sum() == total
        roots = ~replies["parent_reply_id"].isin(set(replies["reply_id"])) | replies["parent_reply_id"].isna()
        assert replies.loc[roots, f"subtree_{column}"].sum() == total
    assert usage_df(log_of(recorded(events, seed)), [])["output_tokens"].fillna(0)[0] == calls["output_tokens"].sum()
    assert replies["n_model_calls"].sum() == len(calls)
    assert replies["n_tool_calls"].sum() == len(made["tool_calls"])
    assert replies["n_unknown_usage"].sum() == (~calls["usage_known"]).sum()
    assert (made["approvals"]["kind"] == "confirm").sum() == replies["n_approvals"].sum()


def gaps(intervals, start, end):
    """Seconds in which nothing goes on, by asking at the middle of every stretch between two bounds."""
    bounds = sorted({start, end, *(b for pair in intervals for b in pair if start < b < end)})
    middles = [(a, b, (a + b) / 2) for a, b in itertools.pairwise(bounds)]
    return sum(b - a for a, b, middle in middles if not any(s <= middle < e for s, e in intervals))


@EXAMPLES
@given(valid_streams(), RANDOM)
def test_parts_and_overhead_are_the_wall_time(events, seed):
    made = all_tables(log_of(recorded(events, seed)))
    replies, spans = made["replies"], made["intervals"]
    parts = ["model_s", "tool_s", "human_wait_s", "external_wait_s", "overhead_s"]
    for _, reply in replies.iterrows():
        assert abs(sum(reply[part] for part in parts) - reply["wall_s"]) < 0.001
        assert all(reply[part] >= 0 for part in [*parts, "overlap_s"])
        if pd.isna(reply["ended_at"]):
            continue
        own = spans[spans["reply_id"] == reply["reply_id"]]
        pairs = [(s.timestamp(), e.timestamp()) for s, e in zip(own["start"], own["end"], strict=True) if pd.notna(e)]
        rest = gaps(pairs, reply["started_at"].timestamp(), reply["ended_at"].timestamp())
        assert abs(rest - reply["overhead_s"]) < 0.001


@EXAMPLES
@given(any_streams(), RANDOM)
def test_a_reloaded_log_gives_the_same(tmp_path_factory, events, seed):
    path = tmp_path_factory.mktemp("log") / "run.jsonl"
    log = log_of(recorded(events, seed))
    log.save(path)
    live = all_tables(log)
    same(live, all_tables(EventLog.load(path)))
    same(live, all_tables(path))
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    if rows:
        same(live, all_tables(rows))  # which are read one by one, without the short way for deltas


@EXAMPLES
@given(any_streams(), RANDOM, st.booleans())
def test_lines_of_a_plain_stream_give_the_same_as_its_rows(tmp_path_factory, events, seed, naive):
    rows = [event.model_dump(mode="json") for event in events]
    for row, record in zip(rows, recorded(events, seed), strict=True):
        row["created_at"] = record.at[:-6] if naive else record.at
    path = tmp_path_factory.mktemp("log") / "run.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    if rows:
        same(all_tables(rows), all_tables(path))


def but_by_delta(made):
    """The tables without that of events, and without the columns that tell of single deltas."""
    return {
        name: frame.drop(columns=[column.name for column in TABLES[name].columns if column.by_delta])
        for name, frame in made.items()
        if name != "events"
    }


@pytest.mark.parametrize("clocks", ["recorded", "plain"])
@settings(max_examples=25, deadline=None)
@given(events=any_streams(), seed=RANDOM)
def test_a_compacted_log_gives_the_same_but_for_single_deltas(tmp_path_factory, clocks, events, seed):
    log = log_of(recorded(events, seed))
    if clocks == "plain":
        log = log_of([record._replace(at=None, mono=None) for record in log.records])
    path = tmp_path_factory.mktemp("log") / "run.jsonl"
    log.save(path, compact=True, media="files")
    raw = but_by_delta(all_tables(log))
    same(raw, but_by_delta(all_tables(log.compact())))
    same(raw, but_by_delta(all_tables(path)))


@EXAMPLES
@given(any_streams(), RANDOM)
def test_created_at_decides_nothing_in_a_recorded_log(events, seed):
    records = recorded(events, seed)
    times = [record.event.created_at for record in records]
    Random(seed).shuffle(times)
    mixed = [
        record._replace(event=record.event.model_copy(update={"created_at": t}))
        for record, t in zip(records, times, strict=True)
    ]
    left, right = all_tables(log_of(records)), all_tables(log_of(mixed))
    same({"events": left.pop("events")}, {"events": right.pop("events")}, but=("run", "created_at"))
    same(left, right)


@EXAMPLES
@given(any_streams())
def test_the_order_of_a_plain_stream_is_that_of_its_lines(events):
    shuffled = [event.created_at for event in events]
    Random(1).shuffle(shuffled)
    mixed = [event.model_copy(update={"created_at": t}) for event, t in zip(events, shuffled, strict=True)]
    left, right = all_tables(events), all_tables(mixed)
    for name, column in {
        "tool_calls": "state",
        "replies": "own_input_tokens",
        "approvals": "decision",
        "blocks": "chars",
    }.items():
        assert left[name][["seq", column]].equals(right[name][["seq", column]])
    for name, frame in right.items():
        durations = [column for column in frame if column.endswith("_s") and column != "mono_s"]
        assert not (frame[durations] < 0).any(axis=None), name


@EXAMPLES
@given(any_streams(), RANDOM)
def test_a_filter_and_a_choice_of_columns_change_no_value(events, seed):
    log = log_of(recorded(events, seed))
    whole = events_df(log)
    some = events_df(
        log, columns=["seq", "delta_chars", "tool_name"], where={"type": ["TOOL_CALL_DELTA", "TOOL_RESULT_END"]}
    )
    wanted = whole[whole["type"].isin(["TOOL_CALL_DELTA", "TOOL_RESULT_END"])][["seq", "delta_chars", "tool_name"]]
    assert some.astype(str).values.tolist() == wanted.astype(str).values.tolist()


def test_chars_of_deltas_are_those_of_events():
    for seed in range(30):
        events = broken_stream(Random(seed))
        made = all_tables(events)
        told = made["events"]
        told = told[~told["duplicate"] & (told["type"] == "TOOL_CALL_DELTA")]["delta_chars"].sum()
        assert made["tool_calls"]["args_chars"].sum() == told


def test_the_generator_reaches_what_matters():
    """Otherwise the laws above would say little."""
    from tests.strategies import samples

    found = [all_tables(log_of(recorded(events))) for events in samples(60)]

    def values(name, column):
        return {value for made in found for value in made[name][column].dropna()}

    assert values("replies", "depth") >= {0, 1, 2}
    assert values("tool_calls", "kind") == {"local", "external", "subagent"}
    assert values("replies", "finished_reason") >= {
        "completed",
        "interrupted",
        "error",
        "exceed_max_iters",
        "waiting",
    }
    assert values("approvals", "decision") >= {"approved", "denied", "interrupted", "answered", "pending"}
    assert max(values("replies", "overlap_s")) > 0
    assert True in values("model_calls", "streamed")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_all_recorded_streams_give_tables(scenario):
    made = all_tables(VECTORS / f"{scenario}.jsonl")
    rules = {problem["rule"] for problem in made["replies"].attrs["problems"]}
    assert rules <= {"clock_backwards", "unasked_answer"}, rules
    replies, tools, calls = made["replies"], made["tool_calls"], made["model_calls"]
    assert replies["agent"].tolist() == ["Friday"] * len(replies)
    assert calls["attempts"].isna().all()
    assert made["approvals"][["shown_at", "decided_by"]].isna().all(axis=None)  # such a stream does not tell
    assert tools["tool"].notna().all()
    assert replies["wall_s"].notna().all()


def test_synthetic_streams_give_tables():
    for entry in synthetic():
        made = all_tables(entry.events)
        assert len(made["events"]) == len(entry.events)
