"""What one wants to know first of a run: where the time went, what it used, what was slow, who waited, what failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from nb_agentscope.analysis._problem import AnalysisProblem
from nb_agentscope.analysis._summary_show import as_html, as_text
from nb_agentscope.analysis._tables import Prices, Zone, tables
from nb_agentscope.analysis._totals import PARTS, Frames, exec_seconds, outermost, total, totals
from nb_agentscope.analysis._usage import usage_of

_TABLES = ("replies", "model_calls", "tool_calls", "approvals")
_WAITS = ["run", "seq", "agent", "tool", "kind", "decided_by", "decision", "wait_s"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Summary:
    """Small tables of one run, or of several together; shows itself as text and as HTML."""

    time: pd.DataFrame
    """Wall time of the outermost replies by `part` (model, tool, you, external, other): `seconds` and `share`, 0 to 1."""
    agents: pd.DataFrame
    """The same for each agent, sub-agents too, in columns; a sub-agent's time lies within its caller's `tool_s`."""
    usage: pd.DataFrame
    """Tokens, cost and speed by model: `usage_df(log)`."""
    tools: pd.DataFrame
    """By tool, the slowest (`p95_s`) first: calls, errors, denied, and `exec_s` of those that were not denied."""
    waits: pd.DataFrame
    """What people and programs outside were asked, the longest wait first; those still waiting at the top."""
    errors: pd.DataFrame
    """Replies that failed and tool calls that did, in the order of the log."""
    problems: pd.DataFrame
    """What is missing from these tables, and why; the first thousand."""
    totals: dict[str, Any]
    """The numbers that `compare` shows."""
    runs: tuple[str, ...]
    """Names of the runs with replies."""
    n_events: int
    """Events read."""
    n_problems: int
    """All problems, also those not in `problems`."""

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


def summary(log: Any, *, strict: bool = False, tz: Zone = None, prices: Prices = None) -> Summary:
    """What one wants to know first of a run, or of several together.

    Args:
        log: What `events_df` takes.
        strict: As in `events_df`.
        tz: As in `events_df`.
        prices: As in `model_calls_df`; without them there is no cost.

    Raises:
        ValueError: As `events_df`.
        TypeError: `log` is nothing that has events.
    """
    log = list(log) if hasattr(log, "__next__") else log  # it is read twice
    found = tables(log, _TABLES, strict=strict, tz=tz, prices=prices)
    attrs = found["replies"].attrs
    return Summary(
        time=_time(found["replies"]),
        agents=_agents(found["replies"]),
        usage=usage_of(found["model_calls"], ["model"]),
        tools=_tools(found["tool_calls"]),
        waits=_waits(found["approvals"]),
        errors=_errors(found, log),
        problems=pd.DataFrame(attrs["problems"], columns=list(AnalysisProblem._fields)),
        totals=totals(found),
        runs=tuple(found["replies"]["run"].dropna().unique()),
        n_events=attrs["n_events"],
        n_problems=attrs["n_problems"],
    )


def _time(replies: pd.DataFrame) -> pd.DataFrame:
    outer = outermost(replies)
    parts = pd.Series({part: total(outer[column]) for part, column in PARTS.items()}, dtype="Float64")
    wall = total(outer["wall_s"])
    shares = parts / wall if pd.notna(wall) and wall > 0 else parts * pd.NA
    return pd.DataFrame({"part": parts.index.astype("string"), "seconds": parts.array, "share": shares.array})


def _agents(replies: pd.DataFrame) -> pd.DataFrame:
    columns = ["wall_s", *PARTS.values()]
    groups = replies.groupby("agent", observed=True, dropna=False, sort=False)
    made = groups[columns].sum(min_count=1)
    made.insert(0, "replies", groups.size().astype("Int64"))
    return made.reset_index()


def _tools(calls: pd.DataFrame) -> pd.DataFrame:
    calls = calls.assign(exec_s=exec_seconds(calls), error=calls["state"] == "error", deny=calls["state"] == "denied")
    groups = calls.groupby("tool", observed=True, dropna=False, sort=False)
    made = pd.DataFrame(
        {
            "calls": groups.size(),
            "errors": groups["error"].sum(),
            "denied": groups["deny"].sum(),
            "p50_s": groups["exec_s"].quantile(0.5),
            "p95_s": groups["exec_s"].quantile(0.95),
            "max_s": groups["exec_s"].max(),
            "total_s": groups["exec_s"].sum(min_count=1),
        }
    )
    dtypes = {name: "Int64" if name in ("calls", "errors", "denied") else "Float64" for name in made.columns}
    return made.astype(dtypes).sort_values("p95_s", ascending=False, kind="stable").reset_index()


def _waits(approvals: pd.DataFrame) -> pd.DataFrame:
    waits = approvals[_WAITS].sort_values("wait_s", ascending=False, kind="stable", na_position="first")
    return waits.reset_index(drop=True)


def _errors(found: Frames, log: Any) -> pd.DataFrame:
    replies, calls = found["replies"], found["tool_calls"]
    failed = replies[replies["finished_reason"] == "error"]
    bad = calls[calls["state"] == "error"]
    both = [
        _failures("reply", failed, failed["error_type"], failed["error_message"]),
        _failures("tool call", bad, bad["tool"], _results(bad, log)),
    ]
    return pd.concat(both).sort_values(["run", "seq"], kind="stable").reset_index(drop=True)


def _failures(what: str, rows: pd.DataFrame, name: Any, message: Any) -> pd.DataFrame:
    columns = {"run": rows["run"], "what": what, "name": name, "agent": rows["agent"], "message": message}
    made = pd.DataFrame(columns, index=rows.index).astype("string")
    made.insert(1, "seq", rows["seq"])
    return made


def _results(calls: pd.DataFrame, log: Any) -> Any:
    """What the failed calls gave; texts are only read where there is one."""
    if calls.empty:
        return pd.array([], dtype="string")
    keys = ["run", "reply_id", "block_id"]
    wanted = {"kind": "tool_result", "block_id": set(calls["tool_call_id"].dropna())}
    blocks = tables(log, ["blocks"], columns={"blocks": [*keys, "text"]}, where={"blocks": wanted})["blocks"]
    blocks = blocks.astype({"run": "string"}).drop_duplicates(keys)
    by_call = calls.astype({"run": "string"}).merge(
        blocks, "left", left_on=["run", "reply_id", "tool_call_id"], right_on=keys
    )
    return by_call["text"].array
