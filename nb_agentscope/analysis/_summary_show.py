"""A summary as text and as HTML, both made of the same sections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from nb_agentscope.analysis._sheet import Head, Section, bar, sheet, table, text
from nb_agentscope.analysis._totals import PARTS
from nb_agentscope.analysis._words import MISSING, at_least, count, known, label, many, seconds, share, usd

if TYPE_CHECKING:
    from nb_agentscope.analysis._summary import Summary

_ROWS = 8
"""Rows of a section; the frames have all."""
_WAITED_FOR = {"confirm": "you", "ask_user": "you", "external": "outside"}


def as_text(found: Summary) -> str:
    """For a terminal, or wherever there is no HTML."""
    return "\n\n".join([headline(found), *map(_text, sections(found))])


def as_html(found: Summary) -> str:
    """For a notebook."""
    shares = {part: value for part, value in zip(found.time["part"], found.time["share"], strict=True) if known(value)}
    head = f'<p class="nbas-head">{text(headline(found))}</p>'
    shown = [table(section, bar(shares) if section.has_keys else "") for section in sections(found)]
    return sheet(head + "".join(shown), "nbas-sum")


def headline(found: Summary) -> str:
    """The run in one line."""
    numbers = found.totals
    if not numbers["replies"] and not numbers["sub_agent_replies"]:
        return f"No replies in {many(found.n_events, 'event')}"
    name = label(found.runs[0]) if len(found.runs) == 1 else many(len(found.runs), "run")
    inner = f" and {count(numbers['sub_agent_replies'])} of sub-agents" if numbers["sub_agent_replies"] else ""
    parts = [name, many(numbers["replies"], "reply", "replies") + inner]
    parts.append(at_least(seconds(numbers["wall_s"]), numbers["unknown_wall"]))
    parts.append(many(numbers["model_calls"], "model call"))
    parts.append(many(numbers["tool_calls"], "tool call"))
    if numbers["failed_replies"]:
        parts.append(f"{count(numbers['failed_replies'])} failed")
    return " · ".join(parts)


def sections(found: Summary) -> list[Section]:
    """What there is to show; what is empty is left out."""
    made = [_time(found), _agents(found), _usage(found), _tools(found), _waits(found), _errors(found), _problems(found)]
    return [section for section in made if section.rows]


def _time(found: Summary) -> Section:
    parts = _first(found.time)
    rows = [(row["part"], seconds(row["seconds"]), share(row["share"])) for row in parts if known(row["seconds"])]
    heads = (Head("Part", False), Head("Time"), Head("Share"))
    return Section("Where the time went", heads, rows, _not_known(found), has_keys=True)


def _not_known(found: Summary) -> str:
    """How much of the wall time is in no part."""
    rest = found.totals["wall_s"] - found.time["seconds"].sum()
    if not found.totals["unknown_split"] or not known(rest) or rest < 0.001:
        return ""
    return f"What went on in {seconds(rest)} more the log does not tell."


def _agents(found: Summary) -> Section:
    heads = (Head("Agent", False), Head("Replies"), Head("Wall"), *(Head(part.capitalize()) for part in PARTS))
    rows = [
        (label(row["agent"]), count(row["replies"]), seconds(row["wall_s"]), *(seconds(row[c]) for c in PARTS.values()))
        for row in _first(found.agents)
    ]
    note = "The time of a sub-agent is in the tool time of its caller, too."
    return Section("Agents", heads, rows if len(found.agents) > 1 else [], _more(found.agents, note))


def _usage(found: Summary) -> Section:
    has_cost = bool(found.usage["total_cost"].notna().any())
    heads = ["Calls", "Input", "From cache", "Output", *(["Cost"] if has_cost else []), "TTFT p50", "Tokens/s p50"]
    rows = []
    for row in _first(found.usage):
        cells = [label(row["model"]), count(row["calls"])]
        cells.append(at_least(count(row["input_tokens"]), row["n_unknown"]))
        cells.append(share(row["cache_hit_ratio"]))
        cells.append(at_least(count(row["output_tokens"]), row["n_unknown"]))
        if has_cost:
            cells.append(at_least(usd(row["total_cost"]), row["n_unknown_cost"]))
        rate = row["output_tps_p50"]
        rows.append((*cells, seconds(row["ttft_p50_s"]), f"{rate:.0f}" if known(rate) else MISSING))
    return Section("Tokens", (Head("Model", False), *map(Head, heads)), rows, _more(found.usage, _unknown_usage(found)))


def _unknown_usage(found: Summary) -> str:
    """What is missing from the tokens, and how to have it."""
    unknown = found.totals["unknown_usage"]
    sentences = (
        [f"{many(unknown, 'call')} did not tell what {'it' if unknown == 1 else 'they'} used."] if unknown else []
    )
    cached = (found.usage["cache_read_input_tokens"] > 0).fillna(False)
    if (cached & found.usage["cache_hit_ratio"].isna()).any():
        sentences.append("From cache: accounting in prices= says whether the input holds the cached tokens.")
    return " ".join(sentences)


def _tools(found: Summary) -> Section:
    heads = (Head("Tool", False), *map(Head, ("Calls", "p50", "p95", "Longest", "Errors", "Denied")))
    rows = [
        (
            label(row["tool"]),
            count(row["calls"]),
            *(seconds(row[name]) for name in ("p50_s", "p95_s", "max_s")),
            count(row["errors"]),
            count(row["denied"]),
        )
        for row in _first(found.tools)
    ]
    return Section("Slowest tools", heads, rows, _more(found.tools), bad="Errors")


def _waits(found: Summary) -> Section:
    heads = (
        Head("Asked about", False),
        Head("Agent", False),
        Head("Waited for", False),
        Head("Decision", False),
        Head("Wait"),
    )
    rows = [
        (label(row["tool"]), label(row["agent"]), _WAITED_FOR[row["kind"]], _decision(row), seconds(row["wait_s"]))
        for row in _first(found.waits)
    ]
    return Section("Waits", heads, rows, _more(found.waits))


def _decision(row: dict[str, Any]) -> str:
    by = row["decided_by"]
    return f"{row['decision']} by {by}" if known(by) else label(row["decision"])


def _errors(found: Summary) -> Section:
    keys = ["what", "name", "agent", "message"]
    groups = found.errors.groupby(keys, dropna=False, sort=False).size().reset_index(name="times")
    rows = [
        (row["what"], label(row["name"]), label(row["agent"]), label(row["message"], 160), count(row["times"]))
        for row in _first(groups)
    ]
    heads = (
        Head("Failed", False),
        Head("Name", False),
        Head("Agent", False),
        Head("Message", False, True),
        Head("Times"),
    )
    return Section("Errors", heads, rows, _more(groups), bad="Times")


def _problems(found: Summary) -> Section:
    groups = found.problems.groupby("rule", sort=False)["message"].agg(["size", "first"]).reset_index()
    rows = [(label(row["rule"]), label(row["first"], 200), count(row["size"])) for row in _first(groups)]
    hidden = found.n_problems - len(found.problems)
    note = f"and {count(hidden)} more" if hidden else ""
    heads = (Head("Rule", False), Head("First", False, True), Head("Times"))
    return Section("Problems of the log", heads, rows, _more(groups, note))


def _first(rows: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in rows.head(_ROWS).to_dict("records")]


def _more(rows: pd.DataFrame, note: str = "") -> str:
    hidden = len(rows) - _ROWS
    return " ".join(filter(None, [f"and {count(hidden)} more." if hidden > 0 else "", note]))


def _text(section: Section) -> str:
    lines = [tuple(head.text for head in section.heads), *section.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    numbers = [head.is_number for head in section.heads]
    shown = [
        "  ".join(
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(line, widths, numbers, strict=True)
        ).rstrip()
        for line in lines
    ]
    return "\n".join(
        [section.title, *(f"  {line}" for line in shown), *([f"  {section.note}"] if section.note else [])]
    )
