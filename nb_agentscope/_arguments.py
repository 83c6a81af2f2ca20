"""The arguments of a tool call, for who shows them and for who runs them: read, repaired, checked by a JSON schema."""

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

MAX_REPAIR = 100_000
"""Characters up to which arguments are repaired; the time grows with the square of the length, and the loop waits for it."""


class UnfitArguments(ValueError):  # noqa: N818 - the reason, as the end of a sentence that its reader begins
    """Arguments that cannot be used; the text goes on after "The arguments of 'x' " and has no full stop."""


def runnable_input(text: str, schema: Mapping[str, Any] | None = None) -> tuple[str, bool]:
    """The input string that will run, and whether it differs from what the model wrote.

    Models cut JSON short, misquote it, or write "42" for a number. An agent repairs such arguments just before the tool runs,
    by the tool's schema, so a person must see the repaired text. What cannot be repaired, and the empty text of a call without
    arguments, stay as they are. A lone surrogate, which no message can carry to a view, becomes U+FFFD.
    """
    whole = _whole(text)
    fixed = None
    if whole.strip() and not fits(whole, schema) and len(whole) <= MAX_REPAIR:
        fixed = (_repaired(whole, schema) if schema is not None else None) or _repaired(whole, None)
    return fixed or whole, bool(fixed) or whole != text


def fits(text: str, schema: Mapping[str, Any] | None) -> bool:
    """Whether this is an object that no agent has to repair."""
    value = _parsed(text)
    if not isinstance(value, dict) or schema is None:
        return isinstance(value, dict)
    try:
        return _worst(value, validator(schema)) is None
    except (SchemaError, Unresolvable, RecursionError):
        return False


def json_object(text: str) -> dict[str, Any]:
    """The object that a JSON text holds, read strictly.

    Raises:
        UnfitArguments: It is no JSON, no object, nested too deeply, or has a key twice.
    """
    try:
        value = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except RecursionError as error:
        raise UnfitArguments("are nested too deeply") from error
    except ValueError as error:
        raise UnfitArguments(f"are not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UnfitArguments(f"must be a JSON object, got {type(value).__name__}")
    return value


def validator(schema: Mapping[str, Any]) -> Validator:
    """What checks values by the schema; it never fetches anything.

    Raises:
        jsonschema.SchemaError: That is no JSON schema.
    """
    rules = dict(schema)
    cls = validator_for(rules)
    cls.check_schema(rules)
    made: Validator = cls(rules, registry=Registry())  # an own empty registry: a schema must not make us fetch anything
    return made


def check_arguments(arguments: Mapping[str, Any], by: Mapping[str, Any] | Validator) -> None:
    """Make sure that arguments fit a schema.

    Args:
        arguments: The values.
        by: The schema, or its validator.

    Raises:
        UnfitArguments: They do not fit, or the schema itself is broken.
    """
    try:
        worst = _worst(arguments, validator(by) if isinstance(by, Mapping) else by)
    except RecursionError as error:
        raise UnfitArguments("are nested too deeply") from error
    except (SchemaError, Unresolvable) as error:
        why = str(error).partition("\n")[0]
        raise UnfitArguments(f"cannot be checked by its schema: {why}") from error
    if worst is not None:
        place = f" at {worst.json_path}" if worst.path else ""
        raise UnfitArguments(f"do not fit its schema{place}: {_short(worst.message)}") from worst


def _short(text: str, limit: int = 400) -> str:
    """The words of a validator, which repeat the value, however long it is."""
    return text if len(text) <= limit else f"{text[: limit // 2]} … {text[-limit // 2 :]}"


def _worst(arguments: Mapping[str, Any], checker: Validator) -> ValidationError | None:
    worst: ValidationError | None = best_match(checker.iter_errors(dict(arguments)))
    return worst


def _whole(text: str) -> str:
    """The text as a message can carry it: a pair of surrogates joined, a lone one replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


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
        # The repair of an escaped lone surrogate holds it as it is, and the page would show something else than what runs.
        fixed = _whole(json.dumps(found, ensure_ascii=False, allow_nan=False))
    except Exception:  # noqa: BLE001 - a foreign parser on hostile text: whatever it raises, there is no repair
        return None
    before = _parsed(text)
    if not isinstance(found, dict):
        return None
    if isinstance(before, dict) and (before.keys() - found.keys() or json.dumps(before, ensure_ascii=False) == fixed):
        return None
    return fixed


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object; which of two values for one key counts would depend on the reader."""
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} stands in it twice")
    return value
