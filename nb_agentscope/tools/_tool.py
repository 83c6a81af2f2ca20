"""A tool: a function, and what a model is told about it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial, update_wrapper
from typing import Any

from nb_agentscope._arguments import UnfitArguments, check_arguments, json_object, runnable_input, validator
from nb_agentscope._common import short_repr
from nb_agentscope.permission import PermissionMode, PermissionRule, Verdict
from nb_agentscope.tools._call import call
from nb_agentscope.tools._chunk import ToolChunk
from nb_agentscope.tools._docstring import parsed
from nb_agentscope.tools._errors import ToolError, ToolInputError, ToolOutputError, told
from nb_agentscope.tools._schema import checked_schema, object_schema
from nb_agentscope.tools._signature import TypedParameters, check_takes, tool_name
from nb_agentscope.tools._subject import CommandSubject, PathSubject, Subject
from nb_agentscope.tools._value import error_chunk


class Tool:
    """A function that a model may call; calling the tool is calling the function. Made by `tool`.

    Attributes:
        name: What the model calls.
        description: What the model is told.
        parameters: JSON schema of the arguments.
        read_only: Whether it changes nothing, so that it may run unasked.
        concurrent: Whether it may run beside its neighbours.
        external: Whether someone outside runs it.
        result_schema: JSON schema of the metadata that an outside result must bring; None asks for nothing.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        read_only: bool = False,
        concurrent: bool | None = None,
        external: bool = False,
        parameters: Mapping[str, Any] | None = None,
        path: str | None = None,
        command: str | None = None,
        result_schema: Mapping[str, Any] | None = None,
    ) -> None:
        """Describe the function; see `tool`, which has the same arguments and errors."""
        if not callable(function):
            raise TypeError(f"A tool is made of a function, got {short_repr(function)}.")
        plain = function
        while isinstance(plain, partial):
            plain = plain.func
        doc = parsed(getattr(plain, "__doc__", None))
        self.name = tool_name(plain, name)
        self.description = doc.summary if description is None else description
        self.read_only = _flag(self.name, "read_only", read_only)
        self.concurrent = read_only if concurrent is None else _flag(self.name, "concurrent", concurrent)
        self.external = _flag(self.name, "external", external)
        self.result_schema = (
            None if result_schema is None else checked_schema(self.name, "result_schema", result_schema)
        )
        self._function = function
        self._typed: TypedParameters | None = None
        if parameters is None:
            self._typed = TypedParameters(self.name, function, doc.parameters)
            self.parameters = self._typed.schema
        else:
            self.parameters = object_schema(self.name, parameters)
            check_takes(self.name, function, self.parameters)
        self._validator = validator(self.parameters)
        self._subject = _subject(self.name, self.parameters, path, command)
        update_wrapper(self, function, updated=())

    @classmethod
    def of(cls, obj: Tool | Callable[..., Any]) -> Tool:
        """The tool itself, or a tool made of a plain function.

        Raises:
            TypeError: It is neither, or the function cannot be a tool.
        """
        return obj if isinstance(obj, Tool) else cls(obj)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function, as if it were no tool."""
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        flags = [flag for flag in ("read_only", "concurrent", "external") if getattr(self, flag)]
        return f"<Tool {', '.join([self.name, *flags])}>"

    @property
    def spec(self) -> tuple[str, str, dict[str, Any]]:
        """Name, description and parameters: what a model is told."""
        return self.name, self.description, self.parameters

    def parse(self, text: str, *, repair: bool = True) -> dict[str, Any]:
        """The arguments that a model wrote, repaired where it is clear what was meant, and checked.

        Args:
            text: Raw JSON text; empty for no arguments.
            repair: False for text that a person saw and approved: it runs as it stands, or not at all.

        Raises:
            ToolInputError: They cannot be used; its text tells the model why.
        """
        written = text if text.strip() else "{}"
        try:
            return self._read(written)
        except ToolInputError:
            fixed, repaired = runnable_input(written, self.parameters) if repair else (written, False)
            if not repaired:
                raise
        return self._read(fixed)

    async def run(self, arguments: Mapping[str, Any]) -> AsyncGenerator[ToolChunk]:
        """Run the function; plain functions and generators in a thread, which is left alone when the reader stops.

        A `ToolError` becomes a chunk with the state `error`; every other exception of the function is raised as it is, but what
        would end the reader as well (`sys.exit()`, a cancellation from inside) as RuntimeError.

        Args:
            arguments: As `parse` gives them; annotated pydantic models and the like are made of them here.

        Raises:
            ToolInputError: The arguments do not fit.
            ToolOutputError: The function gave something that is no result.
            RuntimeError: The tool is external, or see above.
        """
        if self.external:
            raise RuntimeError(f"The tool {self.name!r} is external: its result comes from outside, nothing runs here.")
        try:
            async with aclosing(call(self._function, self._bound(arguments), f"tool {self.name}")) as chunks:
                async for chunk in chunks:
                    yield chunk
        except ToolError as error:
            yield error_chunk(error)
        except BaseException as error:
            if (failure := told(error)) is None:
                raise
            raise failure from error

    @property
    def has_patterns(self) -> bool:
        """Whether rules with a pattern can be about its calls: it was made with `path` or `command`."""
        return self._subject.has_patterns

    def check_metadata(self, metadata: Mapping[str, Any]) -> None:
        """Make sure that the metadata of an outside result are what `result_schema` asks for.

        Raises:
            ToolOutputError: They are not; one sentence says why.
        """
        try:
            if self.result_schema is not None:
                check_arguments(metadata, self.result_schema)
        except UnfitArguments as error:
            raise ToolOutputError(f"The metadata of a result of {self.name!r} {error}.") from error

    def is_read_only(self, input: Mapping[str, Any]) -> bool:  # noqa: ARG002 - all its calls are alike
        """Whether this call changes nothing."""
        return self.read_only

    def verdict(self, input: Mapping[str, Any], mode: PermissionMode, working_dirs: Sequence[str]) -> Verdict | None:
        """The tool's own opinion of a call; None if it has none."""
        return self._subject.verdict(input, mode, working_dirs)

    def match(self, rule_content: str, input: Mapping[str, Any], *, loose: bool = False) -> bool:
        """Whether a rule with this pattern is about the call; without `path` and `command` none is."""
        return self._subject.match(rule_content, input, loose=loose)

    def suggest(self, input: Mapping[str, Any]) -> list[PermissionRule]:
        """Allow rules that a person may accept together with this call."""
        return self._subject.suggest(input)

    def _read(self, text: str) -> dict[str, Any]:
        try:
            arguments = json_object(text)
            check_arguments(arguments, self._validator)
        except UnfitArguments as error:
            raise ToolInputError(f"The arguments of {self.name!r} {error}.") from error
        if self._typed is not None:
            self._typed.bind(arguments)
        return arguments

    def _bound(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if self._typed is not None:
            return self._typed.bind(arguments)
        try:
            check_arguments(arguments, self._validator)
        except UnfitArguments as error:
            raise ToolInputError(f"The arguments of {self.name!r} {error}.") from error
        return dict(arguments)


def _flag(name: str, option: str, value: object) -> bool:
    if not isinstance(value, bool):  # a "no" must not count as true
        raise TypeError(f"{option} of the tool {name!r} is True or False, got {short_repr(value)}.")
    return value


def _subject(name: str, schema: Mapping[str, Any], path: str | None, command: str | None) -> Subject:
    if path is not None and command is not None:
        raise ValueError(
            f"The tool {name!r} has both path={path!r} and command={command!r}: rules can look at one only."
        )
    argument = path if path is not None else command
    if argument is None:
        return Subject(name)
    properties = schema.get("properties", {})
    if argument not in properties:
        raise ValueError(
            f"The tool {name!r} has no parameter {argument!r} that permission rules could look at; it has "
            f"{', '.join(map(repr, properties)) or 'none'}."
        )
    kind = PathSubject if path is not None else CommandSubject
    return kind(name, argument, properties[argument].get("default"))
