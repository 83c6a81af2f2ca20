"""Short ways to make messages and events for the tests of the handlers."""

from typing import Any

from nb_agentscope.event import AgentEvent, parse_event
from nb_agentscope.message import Msg
from nb_agentscope.stream import append_event

AT = "2026-03-01T09:00:00Z"


def message(content: Any = (), **fields: Any) -> Msg:
    return Msg(name="a", content=list(content), role="assistant", id="r", created_at=AT, **fields)


def event(type: str, at: str = AT, **fields: Any) -> AgentEvent:
    """An event of reply `r`."""
    return parse_event({"type": type, "id": "e", "created_at": at, "reply_id": "r", **fields})


def after(*events: AgentEvent, msg: Msg | None = None) -> Msg:
    """A message after these events, empty before."""
    msg = msg or message()
    for item in events:
        assert append_event(msg, item) is msg
    return msg
