"""nb_agentscope: see, steer and measure LLM agents in a notebook."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nb_agentscope._common import set_id_factory, set_timestamp_factory
    from nb_agentscope._settings import configure
    from nb_agentscope.agent import Agent
    from nb_agentscope.interop import ReplayAgent, watch_model, wrap
    from nb_agentscope.message import AssistantMsg, Msg, SystemMsg, UserMsg
    from nb_agentscope.model import ScriptedModel
    from nb_agentscope.run import Run
    from nb_agentscope.stream import EventLog
    from nb_agentscope.tools import tool
    from nb_agentscope.widget import AgentWidget

__all__ = [
    "Agent",
    "AgentWidget",
    "AssistantMsg",
    "EventLog",
    "Msg",
    "ReplayAgent",
    "Run",
    "ScriptedModel",
    "SystemMsg",
    "UserMsg",
    "configure",
    "set_id_factory",
    "set_timestamp_factory",
    "tool",
    "watch_model",
    "wrap",
]

# Where each name lives; it is imported when it is first used, so that `import nb_agentscope` costs and does nothing.
_HOMES = {
    "Agent": "nb_agentscope.agent",
    "AgentWidget": "nb_agentscope.widget",
    "AssistantMsg": "nb_agentscope.message",
    "EventLog": "nb_agentscope.stream",
    "Msg": "nb_agentscope.message",
    "ReplayAgent": "nb_agentscope.interop",
    "Run": "nb_agentscope.run",
    "ScriptedModel": "nb_agentscope.model",
    "SystemMsg": "nb_agentscope.message",
    "UserMsg": "nb_agentscope.message",
    "configure": "nb_agentscope._settings",
    "set_id_factory": "nb_agentscope._common",
    "set_timestamp_factory": "nb_agentscope._common",
    "tool": "nb_agentscope.tools",
    "watch_model": "nb_agentscope.interop",
    "wrap": "nb_agentscope.interop",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
