"""Structured output: a tool that the model must call to end the reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.errors import PydanticUserError

from nb_agentscope._common import first_problem, short_repr
from nb_agentscope.agent._state import OpenReply
from nb_agentscope.tools import Tool, ToolError, Toolkit

STRUCTURED_TOOL = "GenerateStructuredOutput"
"""Name of the tool, as in AgentScope."""
_DESCRIPTION = "Give the answer in the form that the program needs, once you know all of it. This ends your reply."
Schema = type[BaseModel] | Mapping[str, Any]


def json_schema(schema: Schema | None, toolkit: Toolkit) -> dict[str, Any] | None:
    """The JSON schema of a wanted output.

    Raises:
        TypeError: It is neither a pydantic model class nor a JSON schema of an object.
        ValueError: No tool can be made of it, or one of the agent's tools has that tool's name.
    """
    if schema is None:
        return None
    wanted = _described(schema)
    if STRUCTURED_TOOL in toolkit:
        raise ValueError(
            f"The tool that takes the structured output is called {STRUCTURED_TOOL!r}: give your own another name."
        )
    try:
        structured_tool(OpenReply(reply_id=""), wanted)
    except ValueError as error:
        raise ValueError(f"structured_schema cannot be used: {error}") from error
    return wanted


def _described(schema: Any) -> dict[str, Any]:
    wanted = schema
    try:
        if isinstance(schema, type) and issubclass(schema, BaseModel):
            wanted = schema.model_json_schema()
    except PydanticUserError as error:
        why = str(error).partition("\n")[0]
        raise TypeError(f"structured_schema {short_repr(schema)} has no JSON schema: {why}.") from error
    if isinstance(wanted, Mapping) and wanted.get("type") == "object":
        return dict(wanted)
    raise TypeError(
        f"structured_schema must be a pydantic model class or a JSON schema with type object, got {short_repr(schema)}."
    )


def structured_tool(reply: OpenReply, schema: Schema) -> Tool:
    """The tool that takes the output of `reply`; what does not fit goes back to the model as an error."""

    async def take(**fields: Any) -> str:
        reply.structured_output = _validated(schema, fields)
        return "The output was taken."

    wanted = _described(schema)
    return Tool(
        take, name=STRUCTURED_TOOL, description=_DESCRIPTION, parameters=wanted, read_only=True, concurrent=True
    )


def _validated(schema: Schema, fields: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(schema, type):
        return fields  # checked by the tool itself
    try:
        return schema.model_validate(fields).model_dump(mode="json")
    except ValidationError as error:
        raise ToolError(f"The output does not fit: {first_problem(error)}.") from error
