"""Rows of the table of approvals."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from nb_agentscope.analysis._rows_tool_calls import edited
from nb_agentscope.analysis._scan import Scan
from nb_agentscope.analysis._scan_state import Ask


def approval_row(scan: Scan, ask: Ask) -> dict[str, Any]:
    """The row of one question."""
    before = ask.input if ask.shown is None else ask.shown
    text = before if ask.after is None else ask.after
    scan.place = ask.seq
    wait = scan.clock.span(ask.asked, ask.decided, "The wait for the tool call", ask.tool.id)
    reaction = scan.clock.span(ask.seen, ask.decided, "The reaction to the tool call", ask.tool.id)
    decided = ask.decided is not None
    return {
        "seq": ask.seq,
        "tool_call_id": ask.tool.id,
        "reply_id": ask.tool.reply.id,
        "agent": ask.tool.reply.agent,
        "tool": ask.tool.name,
        "kind": ask.kind,
        "asked_at": ask.asked.us,
        "shown_at": ask.seen.us if ask.seen is not None else None,
        "decided_at": ask.decided.us if ask.decided is not None else None,
        "wait_s": wait,
        "reaction_s": reaction,
        "decision": ask.decision,
        "decided_by": ask.by,
        "edited": (edited(ask) or False) if decided else None,
        "input_before": before,
        "input_after": ask.after,
        "args_sha256": None if text is None else sha256(text.encode("utf-8", "replace")).hexdigest(),
        "n_rules_offered": ask.offered,
        "n_rules_accepted": len(ask.rules or ()) if decided else None,
        "rules": ask.rules,
        "note": ask.note,
        "batch_id": ask.batch_id,
        "n_clicks_ignored": ask.ignored,
    }
