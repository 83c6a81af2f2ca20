"""Structured output: a tool that the model must call to end the reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from nb_agentscope._common import first_problem, short_repr
from nb_agentscope.agent._state import OpenReply
from nb_agentscope.tools import Tool, ToolError

NAME = "GenerateStructuredOutput"
"""Name of the tool, as in AgentScope."""
_DESCRIPTION = "Give the answer in the form that the program needs, once you know all of it. This ends your reply."
Schema = type[BaseModel] | Mapping[str, Any]


def json_schema(schema: Schema | None) -> dict[str, Any] | None:
    """The JSON schema of a wanted output.

    Raises:
        TypeError: It is neither a pydantic model class nor a JSON schema of an object.
    """
    if schema is None:
        return None
    given: Any = schema
    if isinstance(given, type) and issubclass(given, BaseModel):
        return given.model_json_schema()
    if isinstance(given, Mapping) and given.get("type") == "object":
        return dict(given)
    raise TypeError(
        f"structured_schema must be a pydantic model class or a JSON schema with type object, got {short_repr(schema)}."
    )


def structured_tool(reply: OpenReply, schema: Schema) -> Tool:
    """The tool that takes the output of `reply`; what does not fit goes back to the model as an error."""

    async def take(**fields: Any) -> str:
        reply.structured_output = _validated(schema, fields)
        return "The output was taken."

    wanted = json_schema(schema)
    return Tool(take, name=NAME, description=_DESCRIPTION, parameters=wanted, read_only=True, concurrent=True)


def _validated(schema: Schema, fields: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(schema, type):
        return fields  # checked by the tool itself
    try:
        return schema.model_validate(fields).model_dump(mode="json")
    except ValidationError as error:
        raise ToolError(f"The output does not fit: {first_problem(error)}.") from error
