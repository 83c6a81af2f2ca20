"""Events that we add to a log: who ran where, what the user gave, and when a person could see a question."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from uuid import uuid4

from nb_agentscope.event import CustomEvent
from nb_agentscope.message import Msg
from nb_agentscope.stream._lane import Lane
from nb_agentscope.stream._record import INPUT_NAME, SHOWN_NAME

HEADER_NAME = "nb_agentscope.header"
FORMAT = 1


def header_event(agent: str | None = None, model: str | None = None, tools: Iterable[str] = ()) -> CustomEvent:
    """First event of a log, and first again after each resume in a new process.

    Tells nothing about the machine or its user: no host, user or path.

    Args:
        agent: Name of the agent, if known.
        model: Name of the model, if known.
        tools: Names of the tools, if known.
    """
    here = datetime.now().astimezone()
    return CustomEvent(
        name=HEADER_NAME,
        value={
            "format": FORMAT,
            "package": _package_version(),
            "python": platform.python_version(),
            "tz": {"name": here.tzname(), "offset": _offset(here)},
            "agent": agent,
            "model": model,
            "tools": list(tools),
            "boot": _boot(),
        },
    )


def input_event(msgs: Msg | Sequence[Msg], reply_id: str | None = None) -> CustomEvent:
    """What was given to the agent, logged before the agent gets it.

    Args:
        msgs: The message or messages.
        reply_id: The reply that they belong to, if known.
    """
    given = [msgs] if isinstance(msgs, Msg) else msgs
    return CustomEvent(
        name=INPUT_NAME,
        value={"messages": [msg.model_dump(mode="json") for msg in given], "reply_id": reply_id},
    )


def shown_event(reply_id: str, tool_call_id: str, lane: Lane | None = None) -> CustomEvent:
    """A person can see the question about a call for the first time.

    Args:
        reply_id: The reply that asks.
        tool_call_id: The call that it asks about.
        lane: That of the sub-agent that asks.
    """
    return CustomEvent(
        name=SHOWN_NAME,
        value={"reply_id": reply_id, "tool_call_id": tool_call_id},
        metadata={} if lane is None else lane.metadata,
    )


def _offset(moment: datetime) -> str:
    return moment.isoformat()[-6:]


@cache
def _boot() -> str:
    """Names this process; not from the id factory, which tests make repeat itself."""
    return uuid4().hex


@cache
def _package_version() -> str:
    try:
        return version("nb-agentscope")
    except PackageNotFoundError:  # run from a source tree that is not installed
        return "unknown"
