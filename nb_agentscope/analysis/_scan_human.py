"""Handlers of what is asked of people and programs outside, and of their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nb_agentscope.analysis._clock import Stamp
from nb_agentscope.analysis._scan_blocks import tool_of
from nb_agentscope.analysis._scan_state import Ask, Reply, ToolCall
from nb_agentscope.analysis._values import mapping, mappings, text
from nb_agentscope.stream import NOTE_KEY, SHOWN_KEY

if TYPE_CHECKING:
    from nb_agentscope.analysis._scan import Scan

_QUESTIONS = frozenset({"AskUser", "ask_user"})
"""Tools that are a question to the user: AgentScope's own, and the name that others give it."""


def _require(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp, kind: str) -> None:
    for call in mappings(row, "tool_calls"):
        id = text(call, "id")
        if id is None:
            scan.problem("bad_event", f"A {row.get('type')} asks about a call without id; it is left out.")
            continue
        tool = tool_of(scan, reply, id)
        tool.name = tool.name or text(call, "name")
        what = "ask_user" if kind == "external" and tool.name in _QUESTIONS else kind
        if any(ask.is_open and ask.kind == what for ask in tool.asks):
            continue  # the same question again
        reply.batch_id = reply.batch_id or text(row, "id")
        offered = len(mappings(call, "suggested_rules"))
        ask = Ask(what, tool, stamp.seq, stamp, reply.batch_id, text(call, "input"), offered)
        tool.asks.append(ask)
        reply.asks.append(ask)


def _require_confirm(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp) -> None:
    _require(scan, reply, row, stamp, "confirm")


def _require_external(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp) -> None:
    _require(scan, reply, row, stamp, "external")


def _confirmed(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp) -> None:
    metadata = mapping(row, "metadata")
    for result in mappings(row, "confirm_results"):
        call = mapping(result, "tool_call")
        ask = _asked(scan, reply, text(call, "id"), external=False)
        if ask is None:
            continue
        approved = result.get("confirmed") is True
        _decide(reply, ask, "approved" if approved else "denied", row, stamp)
        ask.shown, ask.note = text(metadata, SHOWN_KEY), text(metadata, NOTE_KEY)
        ask.rules = mappings(result, "rules")
        if approved:
            ask.after = text(call, "input")
            ask.tool.name = text(call, "name") or ask.tool.name
            _accept(scan, ask.tool, ask.rules)


def _accept(scan: Scan, tool: ToolCall, rules: list[dict[str, Any]]) -> None:
    words = [_words(rule) for rule in rules]
    tool.rule = ", ".join(words) or None
    for rule, word in zip(rules, words, strict=True):
        if not rule.get("rule_content") and rule.get("behavior") == "allow":
            scan.accepted[str(rule.get("tool_name"))] = word


def _words(rule: dict[str, Any]) -> str:
    content = rule.get("rule_content")
    return f"{rule.get('tool_name')}({content})" if content else str(rule.get("tool_name"))


def _executed(scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp) -> None:
    for result in mappings(row, "execution_results"):
        ask = _asked(scan, reply, text(result, "id"), external=True)
        if ask is not None:
            _decide(reply, ask, "denied" if text(result, "state") == "denied" else "answered", row, stamp)
            note = text(mapping(row, "metadata"), NOTE_KEY)
            ask.note = note


def _interrupted(_scan: Scan, reply: Reply, row: dict[str, Any], stamp: Stamp) -> None:
    reply.answered = True
    for ask in reply.asks:
        if ask.is_open:
            _decide(reply, ask, "interrupted", row, stamp)


def _asked(scan: Scan, reply: Reply, id: str | None, *, external: bool) -> Ask | None:
    """The open question about this call; an answer that comes too late is counted."""
    asks = [ask for tool in reply.by_id.get(id or "", []) for ask in tool.asks if (ask.kind != "confirm") == external]
    found = next((ask for ask in asks if ask.is_open), None)
    if found is None and asks:
        asks[-1].ignored += 1
    elif found is None:
        scan.problem(
            "unasked_answer", f"An answer is about the call {id!r:.60}, which nobody asked about; it is left out."
        )
    return found


def shown(scan: Scan, row: dict[str, Any], stamp: Stamp) -> None:
    """A person can see the question that is open about a call; the first time counts, and one that is late does not."""
    value = mapping(row, "value")
    reply = scan.replies.get(text(value, "reply_id") or "")
    tools = [] if reply is None else reply.by_id.get(text(value, "tool_call_id") or "", [])
    ask = next((ask for tool in reversed(tools) for ask in reversed(tool.asks) if ask.is_open), None)
    if ask is not None and ask.seen is None:
        ask.seen = stamp


def _decide(reply: Reply, ask: Ask, decision: str, row: dict[str, Any], stamp: Stamp) -> None:
    reply.answered = True
    reply.batch_id = None
    ask.decision, ask.decided = decision, stamp
    ask.by = text(mapping(row, "recorded"), "by")


ANSWERS = {
    "USER_CONFIRM_RESULT": _confirmed,
    "EXTERNAL_EXECUTION_RESULT": _executed,
    "USER_INTERRUPT": _interrupted,
}
HANDLERS = {
    "REQUIRE_USER_CONFIRM": _require_confirm,
    "REQUIRE_EXTERNAL_EXECUTION": _require_external,
    **ANSWERS,
}
