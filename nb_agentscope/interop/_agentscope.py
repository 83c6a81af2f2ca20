"""What only a real AgentScope agent needs: its own classes in, and what its parts tell of it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from nb_agentscope.message import Msg


def is_agentscope(obj: object) -> bool:
    """Whether the object's class, or a base of it, comes from AgentScope; imports nothing."""
    return any(base.__module__.partition(".")[0] == "agentscope" for base in type(obj).__mro__)


def as_agentscope(inputs: Any) -> Any:
    """The inputs as AgentScope's own classes; a list stays a list, what is not ours stays as it is."""
    if isinstance(inputs, list):
        return [as_agentscope(item) for item in inputs]
    if isinstance(inputs, Msg):
        return _theirs("agentscope.message", "Msg", inputs)
    if isinstance(inputs, BaseModel) and hasattr(inputs, "reply_id"):
        return _theirs("agentscope.event", type(inputs).__name__, inputs)
    return inputs


def tool_schemas(agent: object) -> dict[str, Mapping[str, Any]]:
    """The JSON schemas of the arguments by tool name, as far as the agent's toolkit knows them without asking a server."""
    groups = getattr(getattr(agent, "toolkit", None), "tool_groups", None) or []
    tools = [tool for group in groups for tool in getattr(group, "tools", None) or []]
    schemas = {getattr(tool, "name", None): getattr(tool, "input_schema", None) for tool in tools}
    return {name: schema for name, schema in schemas.items() if isinstance(name, str) and isinstance(schema, Mapping)}


def model_name(agent: object) -> str | None:
    """Name of the agent's model, if it tells."""
    model = getattr(agent, "model", None)
    name = model if isinstance(model, str) else getattr(model, "model", None) or getattr(model, "model_name", None)
    return name if isinstance(name, str) else None


def _theirs(module: str, name: str, value: BaseModel) -> Any:
    cls = getattr(importlib.import_module(module), name)
    return cls.model_validate(value.model_dump(mode="json"))
