"""Tool calls, questions, intervals and replies, from the definitions alone; see `oracle.py`."""

import json
from hashlib import sha256
from itertools import pairwise

from tests.analysis.oracle import (
    at,
    between,
    clock,
    decoded,
    first,
    model_spans,
    name_of,
    payload,
    replies_of,
    tool_spans,
    unique,
)

KINDS = ("REQUIRE_USER_CONFIRM", "REQUIRE_EXTERNAL_EXECUTION")
ANSWERS = ("USER_CONFIRM_RESULT", "EXTERNAL_EXECUTION_RESULT", "USER_INTERRUPT")
NEW = {"answer": None, "said": None, "late": 0, "batch": None}


def questions(own):
    """Questions about calls of one reply, in order, each with the answer that settles it, if there is one."""
    asked = []
    for event in own:
        if event["type"] in KINDS:
            asked += asked_in(event, asked)
        elif event["type"] in ANSWERS:
            answer(event, asked)
        else:
            show(event, [question for question in asked if question["state"] == "pending"])
    batch = None
    for event in own:
        for question in asked:
            batch = batch or event["id"] if question["asked"] is event else batch
            question["batch"] = batch if question["asked"] is event else question["batch"]
        settles = any(question["answer"] is event for question in asked)
        batch = None if settles else batch
    return asked


def asked_in(event, asked):
    """The questions of an event; one that is open is not asked again."""
    for call in event["tool_calls"]:
        kind = "ask_user" if call["name"] in ("AskUser", "ask_user") else "external"
        kind = "confirm" if event["type"] == "REQUIRE_USER_CONFIRM" else kind
        same = [q for q in asked if (q["call"]["id"], q["kind"], q["state"]) == (call["id"], kind, "pending")]
        if not same:
            yield {"call": call, "kind": kind, "asked": event, "state": "pending", **NEW}


def answer(event, asked):
    """An answer settles the oldest open question about its call; one that comes later changes nothing."""
    if event["type"] == "USER_INTERRUPT":
        for question in asked:
            if question["state"] == "pending":
                question |= {"answer": event, "state": "interrupted"}
        return
    confirms = event["type"] == "USER_CONFIRM_RESULT"
    for said in event["confirm_results"] if confirms else event["execution_results"]:
        id = said["tool_call"]["id"] if confirms else said["id"]
        mine = [q for q in asked if q["call"]["id"] == id and (q["kind"] == "confirm") == confirms]
        still = [question for question in mine if question["state"] == "pending"]
        if still:
            done = "answered" if said.get("state") != "denied" else "denied"
            done = ("approved" if said["confirmed"] else "denied") if confirms else done
            still[0] |= {"answer": event, "said": said, "state": done}
        elif mine:
            mine[-1]["late"] += 1


def show(event, still):
    """The end of a call or of a reply shows what became of the open questions about it."""
    for question in still:
        if event["type"] == "TOOL_RESULT_END" and question["call"]["id"] == event["tool_call_id"]:
            done = "approved" if question["kind"] == "confirm" else "answered"
            done = event["state"] if event["state"] in ("denied", "interrupted") else done
            question |= {"state": done, "result": event}
        elif event["type"] == "REPLY_END":
            question["state"] = "interrupted" if event["finished_reason"] == "interrupted" else "expired"


def wait_end(question, own):
    """When the waiting was over: with the answer; where that is not told, with what shows that it was over."""
    if question["answer"] is not None:
        return question["answer"]
    if question["state"] in ("interrupted", "expired"):
        return question.get("result") or first(own, "REPLY_END")
    return question.get("result") if question["kind"] != "confirm" else None


def approvals(events):
    return [
        approval(reply_id, own, question)
        for reply_id, own in replies_of(unique(events)).items()
        for question in questions(own)
    ]


def approval(reply_id, own, question):
    call, answer, said = question["call"], question["answer"], question["said"]
    metadata = answer["metadata"] if answer is not None else {}
    before = metadata.get("nb_agentscope.shown_input", call["input"]) if said and "confirmed" in said else call["input"]
    approved = question["state"] == "approved" and said is not None
    after = said["tool_call"]["input"] if approved else None
    rules = (said.get("rules") or []) if said and "confirmed" in said else None
    return {
        "seq": question["asked"]["seq"],
        "tool_call_id": call["id"],
        "reply_id": reply_id,
        "agent": name_of(own),
        "kind": question["kind"],
        "tool": tool_name([event for event in own if event.get("tool_call_id") == call["id"]], [question]),
        "asked_at": at(question["asked"]),
        "shown_at": None,
        "decided_at": at(answer),
        "wait_s": between(question["asked"], answer),
        "decision": question["state"],
        "decided_by": (answer.get("recorded") or {}).get("by") if answer is not None else None,
        "edited": None if answer is None else approved and after != before,
        "input_before": before,
        "input_after": after,
        "args_sha256": sha256((before if after is None else after).encode()).hexdigest(),
        "n_rules_offered": len(call["suggested_rules"]),
        "n_rules_accepted": None if answer is None else len(rules or ()),
        "rules": rules,
        "batch_id": question["batch"],
        "n_clicks_ignored": question["late"],
    }


def covered(spans):
    """Seconds in which at least one of the spans goes on, asked of every stretch between two of their bounds."""
    bounds = sorted({bound for span in spans for bound in span})
    return sum(b - a for a, b in pairwise(bounds) if any(s <= a and b <= e for s, e in spans))


def waited(asked, own):
    """Time in which somebody was asked; None if an end is not known."""
    spans = [(clock(q["asked"]), wait_end(q, own)) for q in asked]
    return None if any(end is None for _, end in spans) else covered([(a, clock(b)) for a, b in spans])


def ran(call, kind):
    begun, done = first(call["events"], "TOOL_RESULT_START"), first(call["events"], "TOOL_RESULT_END")
    return (None, None) if kind == "external" else (begun, done)


def kind_of(call, asked, lanes, reply_id):
    if any(question["kind"] != "confirm" for question in asked):
        return "external"
    if (reply_id, call["id"]) in lanes:
        return "subagent"
    return "local" if first(call["events"], "TOOL_RESULT_START") else None


def lanes_of(events):
    """Which calls run a sub-agent."""
    told = [event["metadata"] for event in events if event["metadata"].get("source") and event["type"] == "REPLY_START"]
    return {(metadata.get("parent_reply_id"), metadata.get("parent_tool_call_id")) for metadata in told}


def tool_calls(events):
    events = unique(events)
    rows, lanes = [], lanes_of(events)
    for reply_id, own in replies_of(events).items():
        asked, calls = questions(own), tool_spans(own)
        kinds = [kind_of(call, asked_about(asked, call), lanes, reply_id) for call in calls]
        spans = [ran(call, kind) for call, kind in zip(calls, kinds, strict=True)]
        for number, (call, kind) in enumerate(zip(calls, kinds, strict=True)):
            row = tool_call(reply_id, own, call, kind, asked_about(asked, call))
            rows.append(row | {"parallel_with": at_once(spans, number)})
    return rows


def asked_about(asked, call):
    return [question for question in asked if question["call"]["id"] == call["id"]]


def at_once(spans, number):
    """How many other calls have a moment in common with this one; what has not ended goes on."""
    bounds = [a and (clock(a), clock(b) if b else float("inf")) for a, b in spans]
    if bounds[number] is None:
        return None
    mine = bounds[number]
    others = [other for n, other in enumerate(bounds) if n != number and other is not None and other[0] < other[1]]
    return sum(max(mine[0], other[0]) < min(mine[1], other[1]) for other in others)


def tool_call(reply_id, own, call, kind, asked):
    events = call["events"]
    start, done = events[0], first(events, "TOOL_CALL_END")
    begun, end = first(events, "TOOL_RESULT_START"), first(events, "TOOL_RESULT_END")
    deltas = [e for e in events if e["type"].startswith("TOOL_RESULT_") and e["type"].endswith("DELTA") and payload(e)]
    args = "".join(event["delta"] for event in events if event["type"] == "TOOL_CALL_DELTA")
    confirm = [question for question in asked if question["kind"] == "confirm"]
    human, queue = waited(confirm, own), between(done, begun)
    data = [delta for delta in deltas if delta["type"] == "TOOL_RESULT_DATA_DELTA"]
    inside = [n for n, (_, _, events) in enumerate(model_spans(own)) if start in events]
    return {
        "seq": start["seq"],
        "tool_call_id": call["id"],
        "occurrence": call["occurrence"],
        "reply_id": reply_id,
        "agent": name_of(own),
        "model_call_id": f"{reply_id}:{inside[0]}" if inside else None,
        "kind": kind,
        "tool": tool_name(events, asked),
        "args_json": args,
        "args_valid": None if done is None else is_object(args),
        "args_chars": len(args),
        "called_at": at(start),
        "args_done_at": at(done),
        "exec_started_at": at(begun),
        "ended_at": at(end),
        "args_stream_s": between(start, done),
        "queue_s": None if queue is None or human is None else max(queue - human, 0.0),
        "human_wait_s": human,
        "exec_s": None if kind == "external" else between(begun, end),
        "external_wait_s": waited([q for q in asked if q["kind"] != "confirm"], own) if kind == "external" else None,
        "total_s": between(start, end),
        "state": state(asked, begun, end),
        "result_chars": None if begun is None else sum(len(delta.get("delta") or "") for delta in deltas),
        "result_bytes": None if begun is None else sum(decoded(delta.get("data") or "") for delta in data),
        "n_images": None
        if begun is None
        else len({d["block_id"] for d in data if d["media_type"].startswith("image/")}),
        "n_deltas": None if begun is None else len(deltas),
        "first_result_s": between(begun, deltas[0]) if deltas else None,
        "args_edited": any(
            approval(reply_id, own, question)["edited"] for question in confirm if question["answer"] is not None
        ),
    }


def is_object(text):
    try:
        return text == "" or isinstance(json.loads(text), dict)
    except ValueError:
        return False


def tool_name(events, asked):
    """The newest name of the tool; an approval may give another."""
    named = [(event["seq"], event["tool_call_name"]) for event in events if "tool_call_name" in event]
    approved = [question for question in asked if question["state"] == "approved" and question["said"] is not None]
    named += [(question["answer"]["seq"], question["said"]["tool_call"]["name"]) for question in approved]
    return max(named)[1]


def state(asked, begun, end):
    if end is not None:
        return end["state"]
    for question in asked:
        if question["state"] == "pending":
            return "asking" if question["kind"] == "confirm" else "submitted"
    return "running" if begun is not None else "pending"
