"""Cached input, cost, groups of calls, and the table of events, from the definitions alone; see `oracle.py`."""

import base64
import hashlib

from tests.analysis.oracle import decoded, model_calls, percentile, stamp

SUMS = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "total_tokens")
DERIVED = ("input_tokens_total", "input_tokens_uncached", "input_cost", "output_cost", "total_cost")
PERCENTILES = {
    "ttft_p50_s": ("ttft_s", 0.5),
    "ttft_p95_s": ("ttft_s", 0.95),
    "tpot_p50_s": ("tpot_s", 0.5),
    "tpot_p95_s": ("tpot_s", 0.95),
    "output_tps_p50": ("output_tps", 0.5),
}
CLIENT = ("USER_CONFIRM_RESULT", "EXTERNAL_EXECUTION_RESULT", "USER_INTERRUPT")


def priced_calls(events, prices):
    return [call | cached(call, prices.get(call["model"], {})) for call in model_calls(events)]


def cached(call, price):
    """The input with and without cached tokens, and what it costs; an accounting that the numbers refute helps nobody."""
    raw, read, written = (call[name] for name in ("input_tokens", SUMS[2], SUMS[3]))
    given = price.get("accounting")
    row = dict.fromkeys([*DERIVED, "cache_hit_ratio"])
    row["output_cost"] = cost(call["output_tokens"], price.get("output")) if price else None
    if raw is None:
        return row | {"cache_accounting": given or "unknown"}
    accounting = given or ("exclusive" if read + written > raw else "unknown")
    total = {"inclusive": raw, "exclusive": raw + read + written, "unknown": None}[accounting]
    if read + written == 0:
        total = raw
    row["cache_accounting"] = accounting
    if total is None or total < read + written:
        return row
    row["input_tokens_total"], row["input_tokens_uncached"] = total, total - read - written
    row["cache_hit_ratio"] = read / total if total else None
    parts = [
        cost(total - read - written, price.get("input")),
        cost(read, price.get("cache_read")),
        cost(written, price.get("cache_creation")),
    ]
    if price and None not in parts:
        row["input_cost"] = sum(parts)
    if row["input_cost"] is not None and row["output_cost"] is not None:
        row["total_cost"] = row["input_cost"] + row["output_cost"]
    return row


def cost(tokens, price):
    if tokens == 0:
        return 0.0
    return None if tokens is None or price is None else tokens * price / 1_000_000


def usage(events, prices, by):
    """Groups of calls: the key, and sums and percentiles of what is known."""
    groups = {}
    for call in priced_calls(events, prices):
        groups.setdefault(call[by], []).append(call)
    return [group(key, by, calls) for key, calls in groups.items()]


def group(key, by, calls):
    def known(name):
        return [call[name] for call in calls if call[name] is not None]

    row = {by: key, "calls": len(calls), "n_unknown": sum(not call["usage_known"] for call in calls)}
    row |= {name: sum(known(name)) if known(name) else None for name in (*SUMS, *DERIVED)}
    row["n_unknown_cost"] = len(calls) - len(known("total_cost"))
    for name, (column, share) in PERCENTILES.items():
        row[name] = percentile(known(column), share) if known(column) else None
    both = [call for call in calls if call["input_tokens_total"] is not None]
    total = sum(call["input_tokens_total"] for call in both)
    hidden = any(call[SUMS[2]] and call["input_tokens_total"] is None for call in calls)
    row["cache_hit_ratio"] = sum(call[SUMS[2]] for call in both) / total if total and not hidden else None
    return row


def events_table(events):
    """One row for each event."""
    rows, seen, sessions, lanes, names = [], set(), {}, {}, {}
    for place, event in enumerate(events):
        recorded, reply = event.get("recorded") or {}, event.get("reply_id")
        if event["type"] == "REPLY_START":
            sessions.setdefault(reply, event["session_id"])
        lane = lanes.setdefault(reply, event["metadata"]) if reply else event["metadata"]
        call = event.get("tool_call_id")
        asked = event.get("tool_calls")
        call = asked[0]["id"] if asked and len(asked) == 1 else call
        names |= {(reply, call): event["tool_call_name"]} if "tool_call_name" in event else {}
        data = event.get("data")
        rows.append(
            {
                "seq": recorded.get("seq", place),
                "event_id": event["id"],
                "type": event["type"],
                "created_at": stamp(event["created_at"]),
                "recorded_at": stamp(recorded["at"]) if recorded.get("at") else None,
                "mono_s": recorded.get("mono"),
                "session_id": event.get("session_id") or sessions.get(reply),
                "reply_id": reply,
                "source": lane.get("source"),
                "parent_tool_call_id": lane.get("parent_tool_call_id") if lane.get("source") else None,
                "block_id": event.get("block_id"),
                "tool_call_id": call,
                "tool_name": names.get((reply, call)),
                "direction": recorded.get("dir") or ("in" if event["type"] in CLIENT else "out"),
                "delta_chars": len(event["delta"]) if "delta" in event else None,
                "data_bytes": None if data is None else decoded(data),
                "data_sha256": None if data is None else hashlib.sha256(base64.b64decode(data)).hexdigest(),
                "media_type": event.get("media_type"),
                "finished_reason": event.get("finished_reason"),
                "state": event.get("state"),
                "duplicate": event["id"] in seen,
                "text": event.get("delta", event.get("text")),
                "metadata": event["metadata"],
            }
        )
        seen.add(event["id"])
    return rows
