"""Intervals and replies, from the definitions alone; see `oracle.py`."""

from itertools import pairwise

from tests.analysis.oracle import (
    COUNTS,
    at,
    between,
    clock,
    first,
    last,
    model_calls,
    model_spans,
    name_of,
    payload,
    replies_of,
    tool_spans,
    unique,
)
from tests.analysis.oracle_human import (
    ANSWERS,
    asked_about,
    covered,
    kind_of,
    lanes_of,
    questions,
    ran,
    tool_calls,
    tool_name,
    wait_end,
)

PRIORITY = ("model", "tool", "human", "external")
EVER = float("inf")


def spans_of(reply_id, own, lanes):
    """What went on in a reply: kind, id, first and last event (if told), whether it goes on, its lane."""
    asked, calls, done = questions(own), model_spans(own), first(own, "REPLY_END")
    # What a reply left open when it failed or was stopped ended with it; else nobody knows when it did.
    cut = done if done and done["finished_reason"] in ("error", "interrupted") else None
    found = []
    for number, (start, end, _) in enumerate(calls):
        newest = start is calls[-1][0]
        open_ = end is None and newest and done is None
        found.append(("model", f"{reply_id}:{number}", start, end or (cut if newest else None), open_, name_of(own)))
    for call in tool_spans(own):
        kind = kind_of(call, asked_about(asked, call), lanes, reply_id)
        begun, end = ran(call, kind)
        if begun is not None:
            kind = "subagent" if kind == "subagent" else "tool"
            open_ = end is None and done is None
            name = tool_name(call["events"], asked_about(asked, call))
            found.append((kind, call["id"], begun, end or cut, open_, name))
    for question in asked:
        kind = "human" if question["kind"] == "confirm" else "external"
        open_ = question["state"] == "pending"
        id = question["call"]["id"]
        name = tool_name([event for event in own if event.get("tool_call_id") == id], asked_about(asked, {"id": id}))
        found.append((kind, id, question["asked"], wait_end(question, own), open_, name))
    return sorted(found, key=lambda span: span[2]["seq"])  # of equally long ones the first counts


def intervals(events):
    events = unique(events)
    rows, lanes = [], lanes_of(events)
    for reply_id, own in replies_of(events).items():
        found, done = spans_of(reply_id, own, lanes), first(own, "REPLY_END")
        path = walk([(clock(a), clock(b)) if b else None for _, _, a, b, *_ in found], done)
        rows += [
            {
                "seq": start["seq"],
                "reply_id": reply_id,
                "lane": lane,
                "kind": kind,
                "ref_id": ref,
                "start": at(start),
                "end": at(end),
                "duration_s": between(start, end),
                "critical": None if done is None else number in path,
            }
            for number, (kind, ref, start, end, _, lane) in enumerate(found)
        ]
    return rows


def walk(bounds, done):
    """Numbers of the spans on the path: from the end back, always the one with the latest end, of those the longest."""
    path, now = set(), clock(done) if done is not None else -EVER
    while True:
        before = [(b[1], -b[0], -n) for n, b in enumerate(bounds) if b and b[0] < b[1] <= now]
        if not before:
            return path
        _, start, number = max(before)
        path.add(-number)
        now = -start


def wall(own, events):
    """First and last moment of a reply; one without end goes up to its newest event, or its sub-agents'."""
    done = first(own, "REPLY_END")
    return first(own, "REPLY_START"), done or max(newest(own, events), key=lambda event: event["seq"])


def newest(own, events):
    """The newest events of a reply and of its sub-agents."""
    found = [own[-1]]
    for reply_id, other in replies_of(events).items():
        begun = first(other, "REPLY_START")
        if begun is not None and begun["metadata"].get("parent_reply_id") == own[0]["reply_id"] != reply_id:
            found += newest(other, events)
    return found


def split(own, found, events):
    """Each stretch between two bounds given to the first kind that goes on in it."""
    begun, done = wall(own, events)
    start, end = clock(begun), clock(done)
    spans, unknown = [], set()
    for kind, _, a, b, open_, _ in found:
        kind = "tool" if kind == "subagent" else kind
        if b is None and not open_:
            unknown.add(kind)
            continue
        spans.append((kind, max(clock(a), start), min(clock(b), end) if b else end))
    bounds = sorted({start, end, *(bound for _, a, b in spans for bound in (a, b) if start <= bound <= end)})
    parts, overlap = dict.fromkeys((*PRIORITY, "overhead"), 0.0), 0.0
    for a, b in pairwise(bounds):
        active = {kind for kind, s, e in spans if s <= a and b <= e}
        overlap += b - a if len(active) > 1 else 0.0
        parts[next((kind for kind in PRIORITY if kind in active), "overhead")] += b - a
    names = {"model": "model_s", "tool": "tool_s", "human": "human_wait_s", "external": "external_wait_s"}
    row = {column: None if kind in unknown else parts[kind] for kind, column in names.items()}
    rest = {"overhead_s": parts["overhead"], "overlap_s": overlap}
    return row | (dict.fromkeys(rest) if unknown else rest)


def concurrency(own, found, events):
    """How many tools and sub-agents ran at once: at most, over all their time, and over the time in which any did."""
    limit = clock(wall(own, events)[1])
    tools = [(a, b) for kind, _, a, b, open_, _ in found if kind in ("tool", "subagent") and (b or open_)]
    spans = [(clock(a), min(clock(b), limit) if b else limit) for a, b in tools]
    spans = [(a, b) for a, b in spans if a < b]
    row = {"tool_concurrency_max": 0, "tool_concurrency_mean": None, "tool_overlap_factor": None}
    if not spans:
        return row
    together = sum(b - a for a, b in spans)
    row["tool_concurrency_max"] = max(sum(a <= moment < b for a, b in spans) for moment, _ in spans)
    row["tool_concurrency_mean"] = together / (max(b for _, b in spans) - min(a for a, _ in spans))
    return row | {"tool_overlap_factor": together / covered(spans)}


def segments(own):
    """1, and one more for each time that the agent says something after an answer."""
    return 1 + sum(a["type"] in ANSWERS and b["type"] not in ANSWERS for a, b in pairwise(own))


def visible(own):
    """All text of the reply."""
    texts = {}
    for event in own:
        if event["type"] == "TEXT_BLOCK_START":
            texts[event["block_id"], event["seq"]] = ""
        elif event["type"] in ("TEXT_BLOCK_DELTA", "TEXT_BLOCK_END"):
            key = next(key for key in reversed(texts) if key[0] == event["block_id"])
            texts[key] += event.get("delta") or ""
            if event.get("text") is not None:
                texts[key] = event["text"]
    return "".join(texts.values())


def sum_known(values):
    known = [value for value in values if value is not None]
    return sum(known) if known or not values else None


def replies(events):
    events = unique(events)
    lanes, calls, tools = lanes_of(events), model_calls(events), tool_calls(events)
    return [reply(reply_id, own, events, lanes, calls, tools) for reply_id, own in replies_of(events).items()]


def below(reply_id, events):
    """Ids of the reply and of all below it."""
    ids = {reply_id}
    for event in events:
        if event["type"] == "REPLY_START" and event["metadata"].get("parent_reply_id") in ids:
            ids.add(event["reply_id"])
    return ids


def waits(reply_id, events):
    """Whether somebody outside was asked by the reply, or below it, and nothing came of it."""
    own = replies_of(events)[reply_id]
    if last(own, "REPLY_END"):
        return False
    children = below(reply_id, events) - {reply_id}
    asks = any(question["state"] == "pending" for question in questions(own))
    return asks or any(waits(child, events) for child in children)


def reply(reply_id, own, events, lanes, calls, tools):
    begun, done = first(own, "REPLY_START"), first(own, "REPLY_END")
    error = (done or {}).get("error") or {}
    mine = [call for call in calls if call["reply_id"] == reply_id]
    ids = below(reply_id, events)
    subtree = [call for call in calls if call["reply_id"] in ids]
    states = [tool["state"] for tool in tools if tool["reply_id"] == reply_id]
    texts = [event for event in own if event["type"] == "TEXT_BLOCK_DELTA" and payload(event)]
    metadata = begun["metadata"]
    return {
        "seq": own[0]["seq"],
        "reply_id": reply_id,
        "session_id": begun["session_id"],
        "agent": name_of(own),
        "role": begun["role"],
        "parent_reply_id": metadata.get("parent_reply_id"),
        "parent_tool_call_id": metadata.get("parent_tool_call_id"),
        "depth": depth(reply_id, events),
        "started_at": at(begun),
        "ended_at": at(done),
        "finished_reason": done["finished_reason"] if done else "waiting" if waits(reply_id, events) else "open",
        "error_type": error.get("type"),
        "error_message": error.get("message"),
        "segments": segments(own),
        "wall_s": between(*wall(own, events)),
        **split(own, spans_of(reply_id, own, lanes), events),
        **concurrency(own, spans_of(reply_id, own, lanes), events),
        "ttft_s": between(begun, texts[0]) if texts else None,
        "n_model_calls": len(mine),
        "n_tool_calls": len(states),
        "n_denied": states.count("denied"),
        "n_errors": states.count("error"),
        "n_approvals": sum(question["kind"] == "confirm" for question in questions(own)),
        **{f"own_{column}": sum_known([call[column] for call in mine]) for column in COUNTS},
        **{f"subtree_{column}": sum_known([call[column] for call in subtree]) for column in COUNTS},
        "n_unknown_usage": sum(not call["usage_known"] for call in mine),
        "text": visible(own),
    }


def depth(reply_id, events):
    """How many agents are above it; where the log does not tell which, as many as its path names."""
    begun = first(replies_of(events).get(reply_id, []), "REPLY_START")
    source = begun["metadata"].get("source")
    if source is None:
        return 0
    above = begun["metadata"].get("parent_reply_id")
    return source.count("/") if above is None else 1 + depth(above, events)
