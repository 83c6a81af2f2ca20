"""The parameters of a function, as JSON schema and as Python values."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema

from nb_agentscope._common import first_problem, short_repr
from nb_agentscope.tools._errors import ToolInputError, ToolOutputError
from nb_agentscope.tools._value import as_json

_NAME = re.compile(r"[\w.:/-]{1,128}")
_NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
_REMEDY = "or give the tool its JSON schema with parameters={...}"


class TypedParameters:
    """The parameters of a typed function."""

    def __init__(self, name: str, function: Callable[..., Any], descriptions: Mapping[str, str]) -> None:
        """Read the signature.

        Args:
            name: Of the tool, for messages.
            function: Every parameter has an annotation that pydantic knows.
            descriptions: Of the parameters; those in the annotations (`Annotated[int, Field(description=...)]`) win.

        Raises:
            TypeError: A parameter cannot be described to a model; one sentence says which and what to do.
        """
        self._name = name
        signature = signature_of(name, function)
        for parameter in signature.parameters.values():
            _check(name, parameter)
        self._model, self.schema = _model(name, signature)
        for parameter in signature.parameters.values():
            _describe(self.schema["properties"][parameter.name], parameter, descriptions)

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as Python values, without those that were not given.

        Raises:
            ToolInputError: They are not what the annotations say.
        """
        try:
            values = self._model.model_validate_json(json.dumps(dict(arguments)))
        except ValidationError as error:
            raise ToolInputError(f"The arguments of {self._name!r} do not fit: {first_problem(error)}.") from error
        except (TypeError, ValueError, RecursionError) as error:
            raise ToolInputError(f"The arguments of {self._name!r} are not JSON: {error}.") from error
        fields = self._model.model_fields
        return {fields[field].alias or field: getattr(values, field) for field in values.model_fields_set}


def signature_of(name: str, function: Callable[..., Any], *, evaluated: bool = True) -> Signature:
    """The signature, with its annotations evaluated if they are needed.

    Raises:
        TypeError: It cannot be read.
    """
    try:
        return inspect.signature(function, eval_str=evaluated)
    except (NameError, SyntaxError, TypeError, ValueError, AttributeError) as error:
        raise TypeError(f"The signature of the tool {name!r} cannot be read: {error}.") from error


def check_takes(name: str, function: Callable[..., Any], schema: Mapping[str, Any]) -> None:
    """Make sure that a function takes the arguments that a given schema lets a model write.

    Raises:
        TypeError: It does not.
    """
    parameters = signature_of(name, function, evaluated=False).parameters.values()
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return
    taken = {parameter.name for parameter in parameters if parameter.kind in _NAMED}
    for unknown in schema.get("properties", {}).keys() - taken:
        raise TypeError(f"The schema of the tool {name!r} has {unknown!r}, which its function does not take by name.")


def tool_name(function: Callable[..., Any], name: str | None) -> str:
    """The name given, or the function's.

    Raises:
        ValueError: No model could call it.
    """
    found = getattr(function, "__name__", type(function).__name__) if name is None else name
    if not (isinstance(found, str) and _NAME.fullmatch(found)):
        raise ValueError(
            f"A tool's name is 1 to 128 letters, digits and any of _ - . : /, got {short_repr(found)}: give tool(name=...)."
        )
    return found


class _Schema(GenerateJsonSchema):
    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - pydantic's hook
        """A title that only repeats the name costs tokens."""
        return False


def _check(name: str, parameter: Parameter) -> None:
    if parameter.kind not in _NAMED:
        raise TypeError(
            f"The tool {name!r} has the parameter '{parameter}', but a model gives arguments by name: name them all, {_REMEDY}."
        )
    if parameter.annotation is Parameter.empty:
        raise TypeError(
            f"The parameter {parameter.name!r} of the tool {name!r} has no annotation: write e.g. "
            f"{parameter.name}: str, {_REMEDY}."
        )
    if isinstance(parameter.default, FieldInfo):
        raise TypeError(
            f"The parameter {parameter.name!r} of the tool {name!r} has a Field as its default: write "
            f"{parameter.name}: Annotated[..., Field(...)], and its real default after it."
        )


def _model(name: str, signature: Signature) -> tuple[type[BaseModel], dict[str, Any]]:
    """The model that checks arguments, and its schema.

    Its fields have names of ours and the parameters' names as aliases, as a parameter may be called `json` or `_x`.
    """
    fields: dict[str, Any] = {}
    for number, parameter in enumerate(signature.parameters.values()):
        default = ... if parameter.default is Parameter.empty else None  # None only says that it may be missing
        fields[f"p{number}"] = (parameter.annotation, Field(default, alias=parameter.name))
    try:
        model = create_model("Arguments", __config__=ConfigDict(extra="forbid"), **fields)
        schema = model.model_json_schema(schema_generator=_Schema)
    except (PydanticUserError, NameError) as error:
        why = str(error).partition("\n")[0].rstrip(".")
        raise TypeError(
            f"The parameters of the tool {name!r} have no JSON schema: {why}; use types that pydantic knows, {_REMEDY}."
        ) from error
    schema.pop("title", None)
    schema.setdefault("properties", {})
    return model, schema


def _describe(schema: dict[str, Any], parameter: Parameter, descriptions: Mapping[str, str]) -> None:
    schema.pop("default", None)
    if parameter.default is not Parameter.empty:
        try:
            schema["default"] = json.loads(as_json(parameter.default))
        except ToolOutputError:  # no JSON can say it, and the function knows it anyway
            schema.pop("default", None)
    if parameter.name in descriptions:
        schema.setdefault("description", descriptions[parameter.name])
