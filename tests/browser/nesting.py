"""An agent with a sub-agent whose call asks a person."""

from collections.abc import AsyncIterator
from typing import Any

from nb_agentscope import event as ev
from nb_agentscope.message import ToolCallBlock
from nb_agentscope.permission import PermissionRule
from tests.browser.fakes import SESSION

MAIN, NESTED = "reply-main", "reply-nested"
LANE = {"source": "assistant/researcher", "parent_reply_id": MAIN, "parent_tool_call_id": "call-1"}
RULES = [
    PermissionRule(tool_name="delete_file", rule_content=content, behavior="allow", source="suggested")
    for content in ("data/**", None)
]
ASKED = ToolCallBlock(
    id="call-2",
    name="delete_file",
    input='{"file": "data/old.csv", "force": true}',
    state="asking",
    suggested_rules=RULES,
)
SCHEMA = {
    "type": "object",
    "properties": {"file": {"type": "string"}, "force": {"type": "boolean"}},
    "required": ["file"],
    "additionalProperties": False,
}


class NestingAgent:
    """Calls `researcher`, whose own call `delete_file` needs an approval; after it, both replies end.

    Attributes:
        answers: The decisions it was given.
    """

    name = "assistant"

    def __init__(self) -> None:
        self.answers: list[ev.UserConfirmResultEvent] = []

    async def reply_stream(self, inputs: Any) -> AsyncIterator[ev.AgentEvent]:
        """Yield the events up to the question, or those after the answer."""
        if isinstance(inputs, ev.UserConfirmResultEvent):
            self.answers.append(inputs)
            events = _after(inputs.confirm_results[0].confirmed)
        else:
            events = [*_call(), *_nested_call()]
        for event in events:
            yield event


def _text(block: str, text: str, reply: str = MAIN, **more: Any) -> list[ev.AgentEvent]:
    where: dict[str, Any] = {"reply_id": reply, "block_id": block, **more}
    return [ev.TextBlockStartEvent(**where), ev.TextBlockDeltaEvent(delta=text, **where), ev.TextBlockEndEvent(**where)]


def _call() -> list[ev.AgentEvent]:
    call = {"reply_id": MAIN, "tool_call_id": "call-1"}
    return [
        ev.ReplyStartEvent(session_id=SESSION, reply_id=MAIN, name="assistant"),
        ev.ModelCallStartEvent(reply_id=MAIN, model_name="scripted-model"),
        *_text("text-1", "I ask the researcher which files are old."),
        ev.ToolCallStartEvent(tool_call_name="researcher", **call),
        ev.ToolCallDeltaEvent(delta='{"task": "Find and delete what is obsolete in data/"}', **call),
        ev.ToolCallEndEvent(**call),
        ev.ModelCallEndEvent(reply_id=MAIN, input_tokens=412, output_tokens=38),
        ev.ToolResultStartEvent(tool_call_name="researcher", **call),
    ]


def _nested_call() -> list[ev.AgentEvent]:
    lane: dict[str, Any] = {"metadata": LANE}
    listing: dict[str, Any] = {"reply_id": NESTED, "tool_call_id": "call-0", **lane}
    call: dict[str, Any] = {"reply_id": NESTED, "tool_call_id": ASKED.id, **lane}
    return [
        ev.ReplyStartEvent(session_id="nested", reply_id=NESTED, name="researcher", **lane),
        ev.ModelCallStartEvent(reply_id=NESTED, model_name="scripted-model", **lane),
        *_text("text-2", "I look at the folder; `old.csv` is from **2019**.", NESTED, **lane),
        ev.ToolCallStartEvent(tool_call_name="list_dir", **listing),
        ev.ToolCallDeltaEvent(delta='{"path": "data"}', **listing),
        ev.ToolCallEndEvent(**listing),
        ev.ToolResultStartEvent(tool_call_name="list_dir", **listing),
        ev.ToolResultTextDeltaEvent(delta="new.csv\nold.csv", **listing),
        ev.ToolResultEndEvent(state="success", **listing),
        ev.ToolCallStartEvent(tool_call_name=ASKED.name, **call),
        ev.ToolCallDeltaEvent(delta=str(ASKED.input), **call),
        ev.ToolCallEndEvent(**call),
        ev.ModelCallEndEvent(reply_id=NESTED, input_tokens=300, output_tokens=21, **lane),
        ev.RequireUserConfirmEvent(reply_id=NESTED, tool_calls=[ASKED], **lane),
    ]


def _after(confirmed: bool) -> list[ev.AgentEvent]:
    lane: dict[str, Any] = {"metadata": LANE}
    nested: dict[str, Any] = {"reply_id": NESTED, "tool_call_id": ASKED.id, **lane}
    call: dict[str, Any] = {"reply_id": MAIN, "tool_call_id": "call-1"}
    return [
        ev.ToolResultStartEvent(tool_call_name=ASKED.name, **nested),
        ev.ToolResultTextDeltaEvent(delta="Deleted." if confirmed else "The user said no.", **nested),
        ev.ToolResultEndEvent(state="success" if confirmed else "denied", **nested),
        ev.ReplyEndEvent(session_id="nested", reply_id=NESTED, **lane),
        ev.ToolResultTextDeltaEvent(delta="One file was obsolete.", **call),
        ev.ToolResultEndEvent(state="success", **call),
        *_text("text-3", "All tidy now." if confirmed else "I left it there."),
        ev.ReplyEndEvent(session_id=SESSION, reply_id=MAIN),
    ]
