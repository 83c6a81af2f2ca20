"""The tables are those that a slow reading of the definitions gives: on recorded logs, and on random ones with accidents."""

import json
import math
from random import Random

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nb_agentscope.analysis import TABLES, tables, usage_df
from nb_agentscope.stream._disk import line_of
from tests.analysis import oracle, oracle_human, oracle_replies, oracle_usage
from tests.analysis.recorded import ROOT
from tests.analysis.test_laws import recorded
from tests.recorded import SCENARIOS, VECTORS, synthetic
from tests.strategies import valid_stream

RUNS = sorted((ROOT / "notebooks" / "recordings").rglob("*.jsonl"))
FILES = [*(VECTORS / f"{scenario}.jsonl" for scenario in SCENARIOS), *RUNS]
MADE = {
    "model_calls": oracle.model_calls,
    "blocks": oracle.blocks,
    "tool_calls": oracle_human.tool_calls,
    "approvals": oracle_human.approvals,
    "intervals": oracle_replies.intervals,
    "replies": oracle_replies.replies,
    "events": oracle_usage.events_table,
}
KEYS = {name: TABLES[name].key for name in MADE}
ALL = {name: TABLES[name].names(opt_in=True) for name in MADE}
COLUMNS = ("input", "output", "cache_read", "cache_creation")
REASONS = ["completed", "interrupted", "error", "exceed_max_iters"]
ANSWERS = oracle_usage.CLIENT


def plain(value):
    if isinstance(value, (list, dict)):
        return value
    if value is None or pd.isna(value):
        return None
    return value.to_pydatetime() if isinstance(value, pd.Timestamp) else value


def is_same(got, want):
    if isinstance(want, float):
        return got is not None and math.isclose(got, want, rel_tol=1e-4, abs_tol=2e-6)
    return got == want


def check(name, frame, rows, key):
    """The frame has these rows and values; columns that the rows lack are not looked at."""
    found = [{column: plain(value) for column, value in row.items()} for row in frame.astype(object).to_dict("records")]
    got, want = ({tuple(row[column] for column in key): row for row in one} for one in (found, rows))
    assert len(found) == len(rows), name
    assert got.keys() == want.keys(), name
    wrong = [
        (name, place, column, got[place][column], value)
        for place, row in want.items()
        for column, value in row.items()
        if not is_same(got[place][column], value)
    ]
    assert wrong == []


def check_all(log, rows):
    made = tables(log, MADE, columns=ALL)
    for name, make in MADE.items():
        check(name, made[name], make(rows), KEYS[name] if name != "blocks" else ("reply_id", "order"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_recorded_logs(path):
    check_all(path, [json.loads(line) for line in path.read_bytes().splitlines()])


def rows_of(seed):
    """A random log as its lines say it."""
    return [json.loads(line_of(record)) for record in recorded(valid_stream(Random(seed)), seed)]


def cut(rows, random):
    return rows[: random.randint(0, len(rows))]


def lose_ends_of_calls(rows, random):
    return [row for row in rows if row["type"] != "MODEL_CALL_END" or random.random() < 0.5]


def lose_ends_of_tools(rows, random):
    return [row for row in rows if row["type"] != "TOOL_RESULT_END" or random.random() < 0.7]


def lose_answers(rows, random):
    share = random.choice([0.0, 0.5])
    return [row for row in rows if row["type"] not in ANSWERS or random.random() < share]


def double(rows, random):
    for _ in range(min(5, len(rows))):
        place = random.randrange(len(rows))
        rows.insert(random.randint(place + 1, len(rows)), rows[place])
    return rows


def empty_deltas(rows, random):
    return [row | {"delta": ""} if "delta" in row and random.random() < 0.3 else row for row in rows]


def other_usage(rows, random):
    names = ("input_tokens", "output_tokens", "cache_input_tokens", "cache_creation_input_tokens")
    values = [(0, 0), (0, 5), (7, 0), (100, 1), (100, 2), (5, 50)]
    used = {id(row): (*random.choice(values), random.choice([0, 3, 80]), random.choice([0, 4])) for row in rows}
    return [
        row | dict(zip(names, used[id(row)], strict=True)) if row["type"] == "MODEL_CALL_END" else row for row in rows
    ]


def other_ends(rows, random):
    return [row | {"finished_reason": random.choice(REASONS)} if row["type"] == "REPLY_END" else row for row in rows]


def without_recorder(rows, _random):
    """As AgentScope itself logs it: with `created_at` alone."""
    return [
        {key: value for key, value in row.items() if key != "recorded"} | {"created_at": row["recorded"]["at"]}
        for row in rows
    ]


ACCIDENTS = [cut, lose_ends_of_calls, lose_ends_of_tools, lose_answers, double, empty_deltas, other_usage, other_ends,
             without_recorder]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sets(st.sampled_from(ACCIDENTS), max_size=4))
def test_random_logs(tmp_path_factory, seed, accidents):
    rows, random = rows_of(seed), Random(seed)
    for accident in sorted(accidents, key=ACCIDENTS.index):
        rows = accident(rows, random)
    path = tmp_path_factory.getbasetemp() / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    check_all(path, rows)


def test_synthetic_streams_of_agentscope():
    for entry in list(synthetic())[:20]:
        rows = [event.model_dump(mode="json") for event in entry.events]
        check("events", tables(rows, ["events"], columns=ALL)["events"], oracle_usage.events_table(rows), ("seq",))


@st.composite
def prices(draw):
    amounts = st.none() | st.sampled_from([0, 0.5, 3, 15.0])
    table = {name: draw(amounts) for name in COLUMNS}
    accounting = draw(st.sampled_from([None, "inclusive", "exclusive"]))
    return {"scripted": table | {"accounting": accounting}} if draw(st.integers(0, 4)) else {}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), prices(), st.sampled_from(["model", "agent", "reply_id"]))
def test_cost_and_usage(seed, table, by):
    rows = other_usage(rows_of(seed), Random(seed))
    calls = tables(rows, ["model_calls"], prices=table)["model_calls"]
    check("model_calls", calls, oracle_usage.priced_calls(rows, table), ["model_call_id"])
    group = {"reply_id": "reply"}.get(by, by)
    check("usage", usage_df(rows, group, prices=table), oracle_usage.usage(rows, table, by), [by])


def test_every_column_is_looked_at():
    """But those that tests of their own have, or that say the name of the log."""
    apart = {"run", "time_to_first_event_s", "approval", "rule", "args_repaired", "note", "slack_s"}
    prices = {"scripted": {}}
    rows = rows_of(3)
    seen = {name: {column for row in make(rows) for column in row} for name, make in MADE.items()}
    seen["model_calls"] |= {column for row in oracle_usage.priced_calls(rows, prices) for column in row}
    for name, columns in ALL.items():
        if seen[name]:
            assert set(columns) - seen[name] <= apart, name
