"""The arguments of a tool call as a person decides on them: what was shown is what runs, and an edit is checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nb_agentscope._arguments import MAX_REPAIR, UnfitArguments, check_arguments, fits, json_object
from nb_agentscope._common import encodable
from nb_agentscope.run._refused import DecisionRefused


def check_shown(name: str, text: str, schema: Mapping[str, Any] | None) -> None:
    """Make sure that `text`, as it was shown, is what runs.

    Raises:
        DecisionRefused: An agent would repair it, and it was too long to show what that gives.
    """
    if len(text) > MAX_REPAIR and not fits(text, schema):
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
    if encodable(text) != text:
        raise DecisionRefused(
            f"The edited arguments of {name!r} hold half of a surrogate pair, which no log can carry: leave it out."
        )
    try:
        arguments = json_object(text)
        if schema is not None:
            check_arguments(arguments, schema)
    except UnfitArguments as error:
        raise DecisionRefused(f"The edited arguments of {name!r} {error}.") from error
    return text


def _dumped(name: str, edit: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(edit), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise DecisionRefused(f"The edited arguments of {name!r} cannot be written as JSON: {error}.") from error
