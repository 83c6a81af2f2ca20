"""The schema of a typed function, the values it gets, and one sentence for each function that cannot be a tool."""

import functools
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import AfterValidator, BaseModel, Field

from nb_agentscope.tools import ToolInputError, tool


class Point(BaseModel):
    x: int
    y: int = 0


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


def paint(
    where: Point,
    colour: Colour,
    how: Literal["thin", "thick"] = "thin",
    label: Annotated[str | None, Field(description="Beside it.", max_length=9)] = None,
    *,
    when: Optional[date] = None,  # noqa: UP045 - as people write it
    shades: tuple[int, ...] = (1, 2),
):
    """Paint a point.

    Args:
        where: The place.
        label: Not this one.
        shades: All of them.
    """
    return [where, colour, how, label, when, shades]


def test_the_schema():
    assert tool(paint).parameters == {
        "type": "object",
        "properties": {
            "where": {"$ref": "#/$defs/Point", "description": "The place."},
            "colour": {"$ref": "#/$defs/Colour"},
            "how": {"enum": ["thin", "thick"], "type": "string", "default": "thin"},
            "label": {
                "anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}],
                "default": None,
                "description": "Beside it.",
            },
            "when": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
            "shades": {
                "type": "array",
                "items": {"type": "integer"},
                "default": [1, 2],
                "description": "All of them.",
            },
        },
        "required": ["where", "colour"],
        "additionalProperties": False,
        "$defs": {
            "Point": {
                "type": "object",
                "title": "Point",
                "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 0}},
                "required": ["x"],
            },
            "Colour": {"type": "string", "title": "Colour", "enum": ["red", "blue"]},
        },
    }


def test_no_parameters():
    def now() -> str:
        return "now"

    assert tool(now).parameters == {"type": "object", "properties": {}, "additionalProperties": False}


async def test_the_function_gets_python_values():
    got = []

    @tool
    def keep(where: Point, colour: Colour, when: date, file: Path, shades: set[int], anything: Any):
        got.extend([where, colour, when, file, shades, anything])

    arguments = keep.parse(
        '{"where": {"x": 1}, "colour": "blue", "when": "2026-03-01", "file": "a/b", "shades": [1, 2], "anything": {"k": 0.1}}'
    )
    assert [chunk.content async for chunk in keep.run(arguments)] == [()]
    assert got == [Point(x=1), Colour.BLUE, date(2026, 3, 1), Path("a/b"), {1, 2}, {"k": 0.1}]


async def test_the_function_fills_in_its_own_defaults():
    default, got = object(), []

    @tool
    def keep(a: int = 1, b: object = default):
        got.extend([a, b])

    assert keep.parameters["properties"] == {"a": {"type": "integer", "default": 1}, "b": {}}
    async for _ in keep.run(keep.parse("{}")):
        pass
    assert got == [1, default]


async def test_names_that_pydantic_uses_itself():
    @tool
    def odd(json: str, copy: str, schema: str, model_config: str, _x: str, self_: str):
        return json + copy + schema + model_config + _x + self_

    arguments = {"json": "a", "copy": "b", "schema": "c", "model_config": "d", "_x": "e", "self_": "f"}
    assert [chunk.content[0].text async for chunk in odd.run(arguments)] == ["abcdef"]


class Folder:
    def __init__(self, root: str) -> None:
        self.root = root

    def read(self, name: str) -> str:
        """Read a file."""
        return self.root + name

    def __call__(self, name: str) -> str:
        """Look at a file."""
        return self.root + name


@pytest.mark.parametrize(
    ("function", "name", "description"),
    [
        (Folder("/").read, "read", "Read a file."),
        (functools.partial(Folder.read, Folder("/")), "read", "Read a file."),
        (functools.partial(Folder.read, Folder("/"), name="x"), "read", "Read a file."),
    ],
)
def test_methods_and_partials(function, name, description):
    made = tool(function)
    assert (made.name, made.description) == (name, description)
    assert list(made.parameters["properties"]) == ["name"]
    assert made("x") == "/x" if "name" in made.parameters.get("required", []) else made() == "/x"


def test_an_object_that_can_be_called():
    made = tool(Folder("/"))
    assert made.name == "Folder"
    assert made("x") == "/x"


def test_annotations_as_strings():
    def f(a: "Point", b: "int" = 1):
        return a

    assert tool(f).parameters["properties"]["a"] == {"$ref": "#/$defs/Point"}


def untyped(x):
    return x


def star(*args: int):
    return args


def stars(**kwargs: int):
    return kwargs


def by_place(a: int, /):
    return a


def field(a: int = Field(3, description="x")):
    return a


def unknown(a: "Nowhere"):  # noqa: F821 - that is the point
    return a


def strange(a: Folder):
    return a


def called_back(a: type(untyped)):
    return a


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (
            untyped,
            "The parameter 'x' of the tool 'untyped' has no annotation: write e.g. x: str, or give the tool its JSON schema",
        ),
        (
            star,
            "The tool 'star' has the parameter '*args: int', but a model gives arguments by name: name them all, or give",
        ),
        (stars, "The tool 'stars' has the parameter '**kwargs: int', but a model gives arguments by name"),
        (by_place, "The tool 'by_place' has the parameter 'a: int', but a model gives arguments by name"),
        (
            field,
            "The parameter 'a' of the tool 'field' has a Field as its default: write a: Annotated[..., Field(...)]",
        ),
        (unknown, "The signature of the tool 'unknown' cannot be read: name 'Nowhere' is not defined."),
        (
            strange,
            "The parameters of the tool 'strange' have no JSON schema: Unable to generate pydantic-core schema for",
        ),
        (called_back, "The parameters of the tool 'called_back' have no JSON schema: "),
        (5, "A tool is made of a function, got 5."),
        (Folder.read, "The parameter 'self' of the tool 'read' has no annotation"),
    ],
)
def test_a_function_that_cannot_be_a_tool(function, says):
    with pytest.raises(TypeError) as caught:
        tool(function)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "two words", "x" * 129, "<script>", 5])
def test_a_name_that_no_model_can_call(name):
    with pytest.raises(ValueError, match=r"^A tool's name is 1 to 128 letters"):
        tool(lambda: 1, name=name)


def test_a_lambda_needs_a_name():
    with pytest.raises(ValueError, match=r"got '<lambda>': give tool\(name=\.\.\.\)\.$"):
        tool(lambda: 1)
    assert tool(lambda: 1, name="one").name == "one"


def even(value: int) -> int:
    if value % 2:
        raise ValueError(f"{value} is odd")
    return value


def test_what_only_the_annotation_knows_is_checked_before_it_runs():
    @tool
    def half(n: Annotated[int, AfterValidator(even)]) -> int:
        return n // 2

    assert half.parse('{"n": 2}') == {"n": 2}
    with pytest.raises(ToolInputError, match=r"^The arguments of 'half' do not fit: n: 3 is odd\.$"):
        half.parse('{"n": 3}')


@pytest.mark.parametrize("arguments", [{"x": "no"}, {}, {"x": 1, "z": 1}, {"x": object()}, {"x": float("nan")}])
async def test_run_checks_what_it_is_given(arguments):
    @tool
    def f(x: int):
        raise AssertionError("ran")

    with pytest.raises(ToolInputError, match=r"^The arguments of 'f' "):
        await anext(f.run(arguments))
