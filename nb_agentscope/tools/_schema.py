"""JSON schemas that come from outside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from jsonschema.exceptions import SchemaError

from nb_agentscope._arguments import validator
from nb_agentscope._common import short_repr


def checked_schema(name: str, what: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the schema, after a look whether it is one.

    Args:
        name: Of the tool, for the message.
        what: The argument it came in, for the message.
        schema: The JSON schema.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(schema, Mapping):
        raise ValueError(f"{what} of the tool {name!r} must be a JSON schema, got {short_repr(schema)}.")  # noqa: TRY004
    try:
        copy: dict[str, Any] = json.loads(json.dumps(dict(schema)))
        validator(copy)
    except SchemaError as error:
        place = f" at {error.json_path}" if error.path else ""
        raise ValueError(f"{what} of the tool {name!r} is no JSON schema{place}: {error.message}.") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{what} of the tool {name!r} cannot be written as JSON: {error}.") from error
    return copy


def object_schema(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the schema of arguments.

    Raises:
        ValueError: It is no JSON schema, or not one of an object.
    """
    copy = checked_schema(name, "parameters", schema)
    if copy.get("type") != "object" or not isinstance(copy.get("properties", {}), dict):
        raise ValueError(
            f"parameters of the tool {name!r} must be the JSON schema of an object, "
            f'{{"type": "object", "properties": {{...}}}}; got {short_repr(schema)}.'
        )
    return copy
