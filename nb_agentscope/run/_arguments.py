"""The arguments of a tool call: repaired before they are shown, checked after they were edited."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import json_repair
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from nb_agentscope.run._refused import DecisionRefused


def runnable_input(text: str) -> tuple[str, bool]:
    """The input string that will run, and whether it had to be repaired.

    Models cut JSON short or misquote it; AgentScope repairs such arguments just before the tool runs, so a person must see the
    repaired text. Text that no repair turns into an object, and the empty text of a call without arguments, stay as they are.
    """
    if not text.strip() or _is_json(text):
        return text, False
    repaired = json_repair.loads(text)
    if not isinstance(repaired, dict):
        return text, False
    return json.dumps(repaired, ensure_ascii=False), True


def edited_input(name: str, edit: str | Mapping[str, Any], schema: Mapping[str, Any] | None) -> str:
    """The input string of an edit: JSON text of an object, valid by the tool's schema.

    Raises:
        DecisionRefused: The edit is not a JSON object or the schema does not allow it; one sentence says why.
    """
    text = edit if isinstance(edit, str) else _dumped(name, edit)
    arguments = _object(name, text)
    if schema is not None:
        _check(name, arguments, schema)
    return text


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _dumped(name: str, edit: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(edit), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise DecisionRefused(f"The edited arguments of {name!r} cannot be written as JSON: {error}.") from error


def _object(name: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except ValueError as error:
        raise DecisionRefused(f"The edited arguments of {name!r} are not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise DecisionRefused(f"The edited arguments of {name!r} must be a JSON object, got {type(value).__name__}.")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _check(name: str, arguments: dict[str, Any], schema: Mapping[str, Any]) -> None:
    cls = validator_for(dict(schema))
    try:
        cls.check_schema(dict(schema))
        # An own empty registry: a schema must not make us fetch anything.
        validator: Validator = cls(dict(schema), registry=Registry())
        worst: ValidationError | None = best_match(validator.iter_errors(arguments))
    except (SchemaError, Unresolvable) as error:
        why = str(error).partition("\n")[0]
        raise DecisionRefused(f"The schema of {name!r} cannot check the edited arguments: {why}.") from error
    if worst is not None:
        place = f" at {worst.json_path}" if worst.path else ""
        raise DecisionRefused(f"The edited arguments of {name!r} do not fit its schema{place}: {worst.message}.")
