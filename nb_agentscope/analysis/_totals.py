"""What a run comes to, in numbers: the rows of a comparison and the head of a summary."""

from __future__ import annotations

from typing import Any

import pandas as pd

from nb_agentscope.analysis._usage import usage_of

PARTS = {
    "model": "model_s",
    "tool": "tool_s",
    "you": "human_wait_s",
    "external": "external_wait_s",
    "other": "overhead_s",
}
"""Where wall time goes: the part and its column in the table of replies."""
_USAGE = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cache_read_input_tokens",
    "cache_hit_ratio": "cache_hit_ratio",
    "unknown_usage": "n_unknown",
    "total_cost": "total_cost",
    "unknown_cost": "n_unknown_cost",
    "ttft_p50_s": "ttft_p50_s",
    "ttft_p95_s": "ttft_p95_s",
    "tpot_p50_s": "tpot_p50_s",
    "output_tps_p50": "output_tps_p50",
}
Frames = dict[str, pd.DataFrame]


def outermost(replies: pd.DataFrame) -> pd.DataFrame:
    """The replies that no tool call runs; the time of the others lies within their tool time."""
    return replies[replies["parent_reply_id"].isna()]


def total(values: pd.Series[Any]) -> Any:
    """The sum of what is known; NA if nothing is."""
    return values.sum(min_count=1)


def exec_seconds(calls: pd.DataFrame) -> pd.Series[Any]:
    """`exec_s` of tool calls that ran: a denied one has a result at once, which says nothing of the tool."""
    return calls["exec_s"].mask((calls["state"] == "denied").fillna(False).astype(bool))


def totals(frames: Frames) -> dict[str, Any]:
    """The numbers of one run, or of several together.

    Args:
        frames: The tables of replies, model_calls, tool_calls and approvals.
    """
    outer, tools, asked = outermost(frames["replies"]), frames["tool_calls"], frames["approvals"]
    usage = usage_of(frames["model_calls"], []).iloc[0]
    return {
        "wall_s": total(outer["wall_s"]),
        **{f"{part}_s": total(outer[column]) for part, column in PARTS.items()},
        "unknown_wall": int(outer["wall_s"].isna().sum()),
        "unknown_split": int(outer[list(PARTS.values())].isna().any(axis=1).sum()),
        "replies": len(outer),
        "sub_agent_replies": len(frames["replies"]) - len(outer),
        "failed_replies": int((frames["replies"]["finished_reason"] == "error").sum()),
        "model_calls": int(usage["calls"]),
        **{metric: usage[column] for metric, column in _USAGE.items()},
        "tool_calls": len(tools),
        "tool_errors": int((tools["state"] == "error").sum()),
        "denied": int((tools["state"] == "denied").sum()),
        "tool_p50_s": exec_seconds(tools).dropna().quantile(0.5),
        "tool_p95_s": exec_seconds(tools).dropna().quantile(0.95),
        "questions": len(asked),
        "longest_wait_s": asked["wait_s"].max(),
    }
