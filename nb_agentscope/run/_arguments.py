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

MAX_REPAIR = 100_000
"""Characters up to which arguments are repaired; the time grows with the square of the length, and the loop waits for it."""


def runnable_input(text: str, schema: Mapping[str, Any] | None = None) -> tuple[str, bool]:
    """The input string that will run, and whether it differs from what the model wrote.

    Models cut JSON short, misquote it, or write "42" for a number. AgentScope repairs such arguments just before the tool runs,
    by the tool's schema, so a person must see the repaired text. What cannot be repaired, and the empty text of a call without
    arguments, stay as they are. A lone surrogate, which no message can carry to a view, becomes U+FFFD.
    """
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    fixed = None
    if whole.strip() and not _fits(whole, schema) and len(whole) <= MAX_REPAIR:
        fixed = (_repaired(whole, schema) if schema is not None else None) or _repaired(whole, None)
    return fixed or whole, bool(fixed) or whole != text


def check_shown(name: str, text: str, schema: Mapping[str, Any] | None) -> None:
    """Make sure that `text`, as it was shown, is what runs.

    Raises:
        DecisionRefused: An agent would repair it, and it was too long to show what that gives.
    """
    if len(text) > MAX_REPAIR and not _fits(text, schema):
        raise DecisionRefused(
            f"The arguments of {name!r} need a repair and are too long for one ({len(text)} characters), so nobody can see what "
            "would run: deny the call, or approve it with an input of your own."
        )


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


def _fits(text: str, schema: Mapping[str, Any] | None) -> bool:
    """Whether this is an object that no agent has to repair."""
    value = _parsed(text)
    if not isinstance(value, dict) or schema is None:
        return isinstance(value, dict)
    try:
        return _worst(value, schema) is None
    except (SchemaError, Unresolvable, RecursionError):
        return False


def _parsed(text: str) -> Any:
    """The value of JSON text; None if it is no JSON, or too deep for a parser."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _repaired(text: str, schema: Mapping[str, Any] | None) -> str | None:
    """What AgentScope makes of arguments; None if that is nothing, or no change."""
    rules = dict(schema) if schema is not None else None
    try:
        found = json_repair.repair_json(text, return_objects=True, stream_stable=True, schema=rules)
        fixed = json.dumps(found, ensure_ascii=False, allow_nan=False)
    except Exception:  # noqa: BLE001 - a foreign parser on hostile text: whatever it raises, there is no repair
        return None
    before = _parsed(text)
    if not isinstance(found, dict):
        return None
    if isinstance(before, dict) and (before.keys() - found.keys() or json.dumps(before, ensure_ascii=False) == fixed):
        return None
    return fixed


def _dumped(name: str, edit: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(edit), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise DecisionRefused(f"The edited arguments of {name!r} cannot be written as JSON: {error}.") from error


def _object(name: str, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except RecursionError as error:
        raise DecisionRefused(f"The edited arguments of {name!r} are nested too deeply.") from error
    except ValueError as error:
        raise DecisionRefused(f"The edited arguments of {name!r} are not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise DecisionRefused(f"The edited arguments of {name!r} must be a JSON object, got {type(value).__name__}.")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object; which of two values for one key counts would depend on the reader."""
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands in it twice")
    return value


def _worst(arguments: dict[str, Any], schema: Mapping[str, Any]) -> ValidationError | None:
    cls = validator_for(dict(schema))
    cls.check_schema(dict(schema))
    # An own empty registry: a schema must not make us fetch anything.
    validator: Validator = cls(dict(schema), registry=Registry())
    worst: ValidationError | None = best_match(validator.iter_errors(arguments))
    return worst


def _check(name: str, arguments: dict[str, Any], schema: Mapping[str, Any]) -> None:
    try:
        worst = _worst(arguments, schema)
    except (SchemaError, Unresolvable) as error:
        why = str(error).partition("\n")[0]
        raise DecisionRefused(f"The schema of {name!r} cannot check the edited arguments: {why}.") from error
    if worst is not None:
        place = f" at {worst.json_path}" if worst.path else ""
        raise DecisionRefused(f"The edited arguments of {name!r} do not fit its schema{place}: {worst.message}.")
