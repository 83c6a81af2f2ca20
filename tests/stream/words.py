"""Short ways to write streams down."""

from itertools import count
from typing import Any

from nb_agentscope import event as ev
from nb_agentscope.event import AgentEvent
from nb_agentscope.message import ToolCallBlock, ToolResultBlock

STAMP = "2026-03-01T09:00:00Z"
_COMMON: dict[str, dict[str, Any]] = {
    "REPLY_START": {"session_id": "s", "name": "assistant"},
    "REPLY_END": {"session_id": "s"},
    "MODEL_CALL_START": {"model_name": "m"},
    "MODEL_CALL_END": {"input_tokens": 1, "output_tokens": 1},
    "TEXT_BLOCK_DELTA": {"delta": "x"},
    "THINKING_BLOCK_DELTA": {"delta": "x"},
    "DATA_BLOCK_START": {"media_type": "image/png"},
    "DATA_BLOCK_DELTA": {"media_type": "image/png", "data": "YQ=="},
    "TOOL_CALL_START": {"tool_call_name": "rm"},
    "TOOL_CALL_DELTA": {"delta": "{}"},
    "TOOL_RESULT_START": {"tool_call_name": "rm"},
    "TOOL_RESULT_TEXT_DELTA": {"delta": "x"},
    "TOOL_RESULT_END": {"state": "success"},
}


def call(id: str) -> ToolCallBlock:
    return ToolCallBlock(id=id, name="rm", input="{}", created_at=STAMP)


def _ids(kind: str, id: str) -> dict[str, Any]:
    match kind:
        case "REQUIRE_USER_CONFIRM" | "REQUIRE_EXTERNAL_EXECUTION":
            return {"tool_calls": [call(id)]}
        case "USER_CONFIRM_RESULT":
            return {"confirm_results": [ev.ConfirmResult(confirmed=True, tool_call=call(id))]}
        case "EXTERNAL_EXECUTION_RESULT":
            result = ToolResultBlock(id=id, name="rm", output="done", state="success", created_at=STAMP)
            return {"execution_results": [result]}
    return {"tool_call_id": id} if kind.startswith("TOOL_") else {"block_id": id}


def stream(text: str) -> list[AgentEvent]:
    """Events from words `TYPE` or `TYPE:id`, of reply `r`; `@x` sets the reply of the words after it."""
    numbers, reply, events = count(1), "r", []
    for word in text.split():
        if word.startswith("@"):
            reply = word[1:]
            continue
        kind, _, id = word.partition(":")
        fields = {**_COMMON.get(kind, {}), **(_ids(kind, id) if id else {}), "reply_id": reply}
        events.append(ev.parse_event({"id": f"e{next(numbers)}", "created_at": STAMP, "type": kind, **fields}))
    return events


def words(events: list[AgentEvent]) -> str:
    """The opposite of `stream`, without replies."""
    return " ".join(f"{event.type}:{id}" if (id := _id_of(event)) else str(event.type) for event in events)


def _id_of(event: Any) -> str:
    for field in ("tool_call_id", "block_id"):
        if hasattr(event, field):
            return str(getattr(event, field))
    if hasattr(event, "tool_calls"):
        return str(event.tool_calls[0].id)
    if hasattr(event, "confirm_results"):
        return str(event.confirm_results[0].tool_call.id)
    return str(event.execution_results[0].id) if hasattr(event, "execution_results") else ""
