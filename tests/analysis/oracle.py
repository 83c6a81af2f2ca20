"""The tables again, from the definitions alone: slow, obvious, and sharing no code with the package.

Takes raw events (dicts in the order of the log, times in ISO 8601 with zone or in UTC) of one log whose clocks go
forward. A table is a list of dicts; what is not known is None. `oracle_human.py` has what people and programs do.
"""

import base64
import binascii
import json
from datetime import UTC, datetime
from itertools import pairwise

CONTENT = ("TEXT_BLOCK_DELTA", "THINKING_BLOCK_DELTA", "TOOL_CALL_DELTA", "DATA_BLOCK_DELTA")
BASE = datetime(2026, 1, 1, tzinfo=UTC)
COUNTS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cache_input_tokens",
    "cache_creation_input_tokens": "cache_creation_input_tokens",
}


def stamp(text):
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def when(event):
    """The time that a row shows: as recorded, else as the event says."""
    return stamp((event.get("recorded") or {}).get("at") or event["created_at"])


def clock(event):
    """Seconds by the clock that durations are measured with."""
    mono = (event.get("recorded") or {}).get("mono")
    return (when(event) - BASE).total_seconds() if mono is None else mono


def between(first, last):
    if first is None or last is None:
        return None
    seconds = clock(last) - clock(first)
    return None if seconds < 0 else seconds


def at(event):
    return None if event is None else when(event)


def unique(events):
    """The events with their place; what has an id that was there before is no event."""
    seen, kept = set(), []
    for place, event in enumerate(events):
        if event["id"] not in seen:
            seen.add(event["id"])
            seq = (event.get("recorded") or {}).get("seq", place)
            kept.append({**event, "seq": seq})
    return kept


def replies_of(events):
    """Reply id -> its events, in order of appearance."""
    replies = {}
    for event in events:
        if event.get("reply_id") is not None:
            replies.setdefault(event["reply_id"], []).append(event)
    return replies


def first(events, *types):
    return next((event for event in events if event["type"] in types), None)


def last(events, *types):
    return first(reversed(events), *types)


def payload(event):
    return event.get("delta") or event.get("data") or event.get("url") or ""


def decoded(data):
    """Bytes in base64 text."""
    try:
        return len(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError):
        return None


def name_of(events):
    begun = first(events, "REPLY_START")
    return begun and begun["name"]


def percentile(values, share):
    """Between neighbours in a straight line, as numpy and pandas do."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def model_spans(events):
    """Model calls of one reply: [start, end or None, content between them], an end belonging to the last open start."""
    calls = []
    for event in events:
        if event["type"] == "MODEL_CALL_START":
            calls.append([event, None, []])
        elif calls and calls[-1][1] is None:
            if event["type"] == "MODEL_CALL_END":
                calls[-1][1] = event
            else:
                calls[-1][2].append(event)
    return calls


def usage(end):
    """Counts of a call; all unknown if it says nothing was read and nothing written."""
    if end is None or (end["input_tokens"] == 0 and end["output_tokens"] == 0):
        return dict.fromkeys(COUNTS) | {"usage_known": False, "total_tokens": None}
    counts = {name: end.get(key, 0) for name, key in COUNTS.items()}
    return counts | {"usage_known": True, "total_tokens": counts["input_tokens"] + counts["output_tokens"]}


def status(events, calls, number):
    _, end, _ = calls[number]
    if end is not None:
        failed = (last(events, "REPLY_END") or {}).get("finished_reason") == "error"
        ended_by_failure = failed and number + 1 == len(calls) and end["finished_reason"] == "interrupted"
        return "error" if ended_by_failure else end["finished_reason"]
    if number + 1 < len(calls):
        return "error"
    done = last(events, "REPLY_END")
    if done is None:
        return "open"
    return "interrupted" if done["finished_reason"] == "interrupted" else "error"


def latencies(start, end, deltas, counts):
    """What deltas tell: time to the first, time from first to last, gaps, rates."""
    row = dict.fromkeys(["ttft_s", "ttft_kind", "generation_s", "tpot_s", "output_tps", "e2e_tps"])
    row |= dict.fromkeys(["itl_p50_s", "itl_p95_s", "itl_max_s"])
    row["streamed"] = len(deltas) >= 2 and len({clock(delta) for delta in deltas}) >= 2
    row["n_deltas"] = len(deltas)
    row["first_delta_at"] = at(deltas[0]) if deltas else None
    duration, output = between(start, end), counts["output_tokens"]
    if duration and output is not None:
        row["e2e_tps"] = output / duration
    if not row["streamed"]:
        return row
    row["ttft_s"] = between(start, deltas[0])
    row["ttft_kind"] = deltas[0]["type"].removesuffix("_DELTA").removesuffix("_BLOCK").lower()
    row["generation_s"] = between(deltas[0], deltas[-1])
    gaps = [between(a, b) for a, b in pairwise(deltas)]
    row["itl_p50_s"], row["itl_p95_s"] = percentile(gaps, 0.5), percentile(gaps, 0.95)
    row["itl_max_s"] = max(gaps)
    if output is not None and output >= 2:
        row["tpot_s"] = row["generation_s"] / (output - 1)
        row["output_tps"] = (output - 1) / row["generation_s"]
    return row


def chars(inside, kind):
    """Characters of all blocks of a kind; an end may replace what the deltas said."""
    sizes = {}
    for event in inside:
        if event["type"] == f"{kind}_DELTA":
            sizes[event["block_id"]] = sizes.get(event["block_id"], 0) + len(event["delta"])
        elif event["type"] == f"{kind}_END" and event.get("text") is not None:
            sizes[event["block_id"]] = len(event["text"])
    return sum(sizes.values())


def model_calls(events):
    rows = []
    for reply_id, own in replies_of(unique(events)).items():
        calls = model_spans(own)
        for number, (start, end, inside) in enumerate(calls):
            counts = usage(end)
            deltas = [event for event in inside if event["type"] in CONTENT and payload(event)]
            rows.append(
                {
                    "seq": start["seq"],
                    "model_call_id": f"{reply_id}:{number}",
                    "reply_id": reply_id,
                    "agent": name_of(own),
                    "index": number,
                    "model": start["model_name"],
                    "model_is_requested": True,
                    "started_at": at(start),
                    "ended_at": at(end),
                    "status": status(own, calls, number),
                    "duration_s": between(start, end),
                    "text_chars": chars(inside, "TEXT_BLOCK"),
                    "thinking_chars": chars(inside, "THINKING_BLOCK"),
                    "tool_calls": sum(event["type"] == "TOOL_CALL_START" for event in inside),
                    "attempts": None,
                    **counts,
                    **latencies(start, end, deltas, counts),
                }
            )
    return rows


def is_object(text):
    try:
        return text == "" or isinstance(json.loads(text), dict)
    except ValueError:
        return False


def tool_spans(own):
    """Tool calls of one reply: the events of each; an id that starts again is another call."""
    calls = []
    for event in own:
        key = event.get("tool_call_id")
        if event["type"] == "TOOL_CALL_START":
            number = 1 + sum(call["id"] == key for call in calls)
            calls.append({"id": key, "occurrence": number, "events": [event]})
        elif key is not None:
            mine = [call for call in calls if call["id"] == key]
            if mine:
                mine[-1]["events"].append(event)
    return calls


def blocks(events):
    """One row for each thing that a reply's message holds."""
    rows = []
    for reply_id, own in replies_of(unique(events)).items():
        here = []
        for event in own:
            kind, _, what = event["type"].rpartition("_")
            kind = {"TOOL_RESULT_TEXT": "TOOL_RESULT", "TOOL_RESULT_DATA": "TOOL_RESULT"}.get(kind, kind)
            if kind not in ("TEXT_BLOCK", "THINKING_BLOCK", "DATA_BLOCK", "TOOL_CALL", "TOOL_RESULT", "HINT"):
                continue
            key = event.get("tool_call_id") if kind.startswith("TOOL") else event["block_id"]
            if what == "START" or kind == "HINT":
                here.append({"key": key, "kind": kind, "events": [event]})
                continue
            next(b for b in reversed(here) if b["key"] == key and b["kind"] == kind)["events"].append(event)
        rows += [block_row(reply_id, own, order, block) for order, block in enumerate(here)]
    return rows


def tool_name(own, id):
    named = (e for e in own if e.get("tool_call_id") == id and e.get("tool_call_name"))
    return next((e["tool_call_name"] for e in named), None)


def block_row(reply_id, own, order, block):
    start, kind = block["events"][0], block["kind"].removesuffix("_BLOCK").lower()
    end = start if kind == "hint" else next((e for e in block["events"] if e["type"].endswith("_END")), None)
    deltas = [e for e in block["events"] if e["type"].endswith("_DELTA") and payload(e)]
    text = "".join(e["delta"] for e in deltas if "delta" in e)
    if kind == "hint":
        hint = start["hint"]
        text = hint if isinstance(hint, str) else "".join(b.get("text", "") for b in hint if b["type"] == "text")
    if kind == "text" and end is not None and end.get("text") is not None:
        text = end["text"]
    return {
        "seq": start["seq"],
        "reply_id": reply_id,
        "agent": name_of(own),
        "order": order,
        "kind": kind,
        "tool": tool_name(own, block["key"]) if kind.startswith("tool") else None,
        "started_at": at(start),
        "ended_at": at(end),
        "duration_s": between(start, end),
        "text": None if kind == "data" else text,
        "chars": len(text),
        "bytes": sum(decoded(e.get("data") or "") for e in deltas),
        "media_type": next((e["media_type"] for e in reversed([start, *deltas]) if e.get("media_type")), None),
        "source": start.get("source"),
        "n_deltas": None if kind == "hint" else len(deltas),
        "complete": end is not None,
        "block_id": block["key"],
    }
