"""Table rows as spans with the GenAI attribute names of OpenTelemetry, as plain dictionaries.

A reply is an `invoke_agent` span; its model calls (`chat`) and tool calls (`execute_tool`) are its children; the reply of a
sub-agent is a child of the tool call that started it. Tokens stand on `chat` spans alone, so that sums count them once.
Ids depend only on the ids in the log: the same log gives the same spans.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from nb_agentscope.analysis._otel_attributes import MODEL_CALL, OPERATION, REPLY, TOOL_ARGUMENTS, TOOL_CALL, attributes

Row = Mapping[str, Any]
"""A row of a table by column: None for NA, times as whole microseconds since 1970 UTC."""
Span = dict[str, Any]
"""name, span_kind, context {trace_id, span_id}, parent_id, start_time, end_time (nanoseconds), status_code, status_message,
attributes, events [{name, timestamp, attributes}]."""


def otel_spans(
    replies: Iterable[Row],
    model_calls: Iterable[Row] = (),
    tool_calls: Iterable[Row] = (),
    approvals: Iterable[Row] = (),
    *,
    content: bool = False,
) -> list[Span]:
    """Spans of the rows of one log, in order of their start.

    What has not ended has no end time. A row whose start is not known gives no span.

    Args:
        replies: Rows of the table of replies.
        model_calls: Rows of the table of model calls.
        tool_calls: Rows of the table of tool calls.
        approvals: Rows of the table of approvals; they become events of the reply that waited.
        content: Whether arguments of tools are attributes; they may be private.
    """
    by_id = {row["reply_id"]: row for row in replies}
    calls = list(tool_calls)
    tree = _Tree(by_id, calls)
    spans = [_reply_span(row, tree) for row in by_id.values()]
    spans += [_model_span(row, tree) for row in model_calls]
    spans += [_tool_span(row, tree, content=content) for row in calls]
    _add_approvals(spans, approvals)
    return sorted((span for span in spans if span["start_time"] is not None), key=lambda span: span["start_time"])


class _Tree:
    """Who is whose child."""

    def __init__(self, replies: Mapping[str, Row], calls: Iterable[Row]) -> None:
        self._replies = replies
        started = (call for call in calls if _tool_start(call) is not None)
        self._calls = {(call["reply_id"], call["tool_call_id"]): _tool_span_id(call) for call in started}

    def session(self, reply_id: str) -> Any:
        """Id of the conversation that a reply belongs to."""
        return self._replies.get(reply_id, {}).get("session_id")

    def trace_id(self, reply_id: str) -> str:
        """Id of the trace: one for each reply that no other started."""
        return _id(32, "trace", self._root(reply_id))

    def parent_of_reply(self, row: Row) -> str | None:
        """Span id of the tool call that started a reply, or else of the reply that did."""
        parent, call = row.get("parent_reply_id"), row.get("parent_tool_call_id")
        if self._root(row["reply_id"]) == row["reply_id"]:
            return None
        return self._calls.get((parent, call)) or self.parent_of_call(parent)

    def _root(self, reply_id: str) -> str:
        path = {reply_id: None}
        while (parent := self._replies.get(reply_id, {}).get("parent_reply_id")) is not None:
            if parent in path:  # replies that claim to have started each other: no agent writes that, a broken log may
                circle = list(path)
                return min(circle[circle.index(parent) :])
            path[parent] = None
            reply_id = parent
        return reply_id

    def parent_of_call(self, reply_id: Any) -> str | None:
        """Span id of a reply, if it has a span."""
        known = self._replies.get(reply_id, {}).get("started_at") is not None
        return _id(16, "reply", reply_id) if known else None


def _reply_span(row: Row, tree: _Tree) -> Span:
    failed = row.get("finished_reason") == "error"
    return _span(
        row,
        tree,
        name=("invoke_agent", row.get("agent")),
        span_id=_id(16, "reply", row["reply_id"]),
        parent_id=tree.parent_of_reply(row),
        start=row.get("started_at"),
        error=(row.get("error_type") or "_OTHER", row.get("error_message")) if failed else None,
        columns=REPLY,
    )


def _model_span(row: Row, tree: _Tree) -> Span:
    span = _span(
        row,
        tree,
        name=("chat", row.get("model")),
        span_id=_id(16, "model", row["model_call_id"]),
        parent_id=tree.parent_of_call(row["reply_id"]),
        start=row.get("started_at"),
        error=("_OTHER", None) if row.get("status") == "error" else None,
        columns=MODEL_CALL,
    )
    if row.get("model_is_requested") is False and row.get("model") is not None:
        span["attributes"]["gen_ai.response.model"] = span["attributes"].pop("gen_ai.request.model")
    return {**span, "span_kind": "CLIENT"}


def _tool_span(row: Row, tree: _Tree, *, content: bool) -> Span:
    return _span(
        row,
        tree,
        name=("execute_tool", row.get("tool")),
        span_id=_tool_span_id(row),
        parent_id=tree.parent_of_call(row["reply_id"]),
        start=_tool_start(row),
        error=("_OTHER", None) if row.get("state") == "error" else None,
        columns={**TOOL_CALL, **(TOOL_ARGUMENTS if content else {})},
    )


def _span(
    row: Row,
    tree: _Tree,
    *,
    name: tuple[str, str | None],
    span_id: str,
    parent_id: str | None,
    start: int | None,
    error: tuple[str, str | None] | None,
    columns: Mapping[str, str | Callable[[Row], Any]],
) -> Span:
    session = {"gen_ai.conversation.id": tree.session(row["reply_id"])}
    found = {OPERATION: name[0], **session, **attributes(row, columns), "error.type": error[0] if error else None}
    end = row.get("ended_at")
    return {
        "name": " ".join(filter(None, name)),
        "span_kind": "INTERNAL",
        "context": {"trace_id": tree.trace_id(row["reply_id"]), "span_id": span_id},
        "parent_id": parent_id,
        "start_time": _ns(start),
        "end_time": _ns(end) if start is None or end is None or end >= start else None,
        "status_code": "ERROR" if error else "UNSET",
        "status_message": (error[1] or "") if error else "",
        "attributes": {key: value for key, value in found.items() if value is not None},
        "events": [],
    }


def _add_approvals(spans: Iterable[Span], approvals: Iterable[Row]) -> None:
    """Events for each question to a person on the span of the reply, as the tool has not begun yet."""
    by_id = {span["context"]["span_id"]: span for span in spans}
    for row in approvals:
        span = by_id.get(_id(16, "reply", row["reply_id"]))
        if span is not None:
            span["events"] += _approval_events(row)
    for span in by_id.values():
        span["events"].sort(key=lambda event: event["timestamp"])


def _approval_events(row: Row) -> list[dict[str, Any]]:
    what = {
        "gen_ai.tool.name": row.get("tool"),
        "gen_ai.tool.call.id": row.get("tool_call_id"),
        "nb_agentscope.approval.kind": row.get("kind"),
    }
    answer = {
        f"nb_agentscope.approval.{name}": row.get(name) for name in ("decision", "decided_by", "wait_s", "edited")
    }
    moments = (("asked", row.get("asked_at"), what), ("decided", row.get("decided_at"), {**what, **answer}))
    return [
        {
            "name": f"nb_agentscope.approval.{moment}",
            "timestamp": _ns(time),
            "attributes": {key: value for key, value in about.items() if value is not None},
        }
        for moment, time, about in moments
        if time is not None
    ]


def _tool_start(row: Row) -> int | None:
    """When it ran, or, if it never did, when the model called it."""
    ran: int | None = row.get("exec_started_at")
    return row.get("called_at") if ran is None else ran


def _tool_span_id(row: Row) -> str:
    return _id(16, "tool", row["reply_id"], row["tool_call_id"], str(row.get("occurrence") or 0))


def _id(digits: int, *parts: str) -> str:
    """So many hexadecimal digits that only these parts give."""
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:digits]


def _ns(time: int | None) -> int | None:
    return None if time is None else time * 1000
