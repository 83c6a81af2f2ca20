"""A tool as a model and an agent see it: its description, its arguments, its schema from outside."""

import asyncio
import inspect
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nb_agentscope._arguments import MAX_REPAIR, runnable_input
from nb_agentscope.tools import Tool, ToolInputError, ToolOutputError, tool

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "force": {"type": "boolean"}},
    "required": ["n"],
}


@tool
def count(n: int, words: list[str] | None = None, ratio: float = 0.5, extra: dict[str, Any] | None = None) -> str:
    """Count."""
    return f"{n!r} {words!r} {ratio!r} {extra!r}"


def takes(n, force=False):
    """From outside."""
    return f"{n!r} {force!r}"


foreign = tool(takes, parameters=SCHEMA)


def test_calling_it_is_calling_the_function():
    assert count(3) == "3 None 0.5 None"
    assert str(inspect.signature(count)) == str(inspect.signature(count.__wrapped__))
    assert count.__doc__ == "Count."


def test_what_a_model_is_told():
    assert count.spec == ("count", "Count.", count.parameters)
    assert foreign.spec == ("takes", "From outside.", SCHEMA)
    named = tool(name="total", description="Sum up.")(count.__wrapped__)
    assert named.spec == ("total", "Sum up.", count.parameters)


@pytest.mark.parametrize(
    ("options", "read_only", "concurrent", "shown"),
    [
        ({}, False, False, "<Tool plain>"),
        ({"read_only": True}, True, True, "<Tool plain, read_only, concurrent>"),
        ({"concurrent": True}, False, True, "<Tool plain, concurrent>"),
        ({"read_only": True, "concurrent": False, "external": True}, True, False, "<Tool plain, read_only, external>"),
    ],
)
def test_options(options, read_only, concurrent, shown):
    @tool(**options)
    def plain() -> None:
        """Nothing."""

    assert (plain.read_only, plain.is_read_only({}), plain.concurrent) == (read_only, read_only, concurrent)
    assert repr(plain) == shown


@pytest.mark.parametrize("option", ["read_only", "concurrent", "external"])
@pytest.mark.parametrize("value", ["no", 1, None])
def test_a_switch_is_a_bool(option, value):
    if option == "concurrent" and value is None:
        value = ()  # None is the same as read_only
    with pytest.raises(TypeError) as caught:
        tool(takes, parameters=SCHEMA, **{option: value})
    assert str(caught.value) == f"{option} of the tool 'takes' is True or False, got {value!r}."


@pytest.mark.parametrize("function", [(), (takes,)], ids=["decorator", "call"])
def test_an_unknown_option(function):
    with pytest.raises(
        TypeError, match=r"^tool\(\) has no option 'readonly'; choose from name, .*read_only, .*schema\.$"
    ):
        tool(*function, readonly=True)


def test_of():
    assert Tool.of(count) is count
    assert Tool.of(count.__wrapped__).name == "count"
    with pytest.raises(TypeError, match=r"^A tool is made of a function, got 'count'\.$"):
        Tool.of("count")


@pytest.mark.parametrize("made", [count, foreign], ids=["typed", "foreign"])
@pytest.mark.parametrize(
    "text",
    [
        '{"n": 42}',
        '{"n": "42"}',
        '{"n": 42',
        "{'n': 42}",
        '{"n": 42,}',
        '```json\n{"n": 42}\n```',
        "{n: 42}",
        ' {"n":42} ',
    ],
)
def test_arguments_are_repaired_as_they_were_shown(made, text):
    found = made.parse(text)
    assert found["n"] == 42
    assert type(found["n"]) is int
    shown, _ = runnable_input(text, made.parameters)
    assert found == json.loads(shown) == made.parse(shown)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_no_text_is_no_arguments(text):
    assert tool(lambda: 1, name="one").parse(text) == {}
    with pytest.raises(ToolInputError, match="'n' is a required property"):
        count.parse(text)


@pytest.mark.parametrize("made", [count, foreign], ids=["count", "takes"])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[1, 2]", "must be a JSON object, got list."),
        ("42", "must be a JSON object, got int."),
        ("all of it", "are not JSON: Expecting value"),
        ('{"n": "abc"}', "do not fit its schema at $.n: 'abc' is not of type 'integer'."),
        ("{}", "do not fit its schema: 'n' is a required property."),
        ('{"n": 1, "n": 2}', "are not JSON: the key 'n' stands in it twice."),
        ('{"n": NaN}', "are not JSON: NaN is not a JSON number."),
        ("[" * 100_000, "are nested too deeply."),
        ('{"n": 1, "force": ' + "[" * 100_000, "are nested too deeply."),
        ('{"n": 1' + " " * MAX_REPAIR, "are not JSON: "),
    ],
)
def test_arguments_that_cannot_be_repaired(made, text, says):
    with pytest.raises(ToolInputError) as caught:
        made.parse(text)
    assert str(caught.value).startswith(f"The arguments of {made.name!r} {says}")
    assert len(str(caught.value)) < 700


def test_a_long_value_is_not_repeated():
    with pytest.raises(ToolInputError) as caught:
        count.parse(json.dumps({"n": "x" * 50_000}))
    assert len(str(caught.value)) < 700


def test_an_argument_too_many():
    with pytest.raises(ToolInputError, match=r"Additional properties are not allowed \('m' was unexpected\)"):
        count.parse('{"n": 1, "m": 2}')


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
ARGUMENTS = st.fixed_dictionaries(
    {"n": st.integers()},
    optional={
        "words": st.none() | st.lists(st.text(), max_size=3),
        "ratio": st.floats(allow_nan=False, allow_infinity=False),
        "extra": st.none() | st.dictionaries(st.text(), JSON, max_size=3),
    },
)


@settings(max_examples=60)
@given(ARGUMENTS, st.booleans())
def test_parse_gives_valid_arguments_back(arguments, ascii_only):
    assert count.parse(json.dumps(arguments, ensure_ascii=ascii_only)) == arguments


@settings(max_examples=100)
@given(
    st.text() | ARGUMENTS.map(json.dumps).flatmap(lambda text: st.integers(0, len(text)).map(lambda end: text[:end]))
)
def test_parse_gives_arguments_or_one_sentence(text):
    try:
        assert isinstance(count.parse(text)["n"], int)
    except ToolInputError as error:
        assert str(error).startswith("The arguments of 'count' ")  # noqa: PT017 - either of the two


async def test_a_schema_from_outside():
    assert foreign.parameters == SCHEMA
    assert [chunk.content[0].text async for chunk in foreign.run({"n": 1, "force": True})] == ["1 True"]
    with pytest.raises(ToolInputError, match=r"^The arguments of 'takes' do not fit its schema at \$\.n: 'x' is not"):
        await anext(foreign.run({"n": "x"}))


async def test_a_schema_for_any_arguments():
    @tool(parameters={"type": "object"})
    def keys(**kwargs):
        return sorted(kwargs)

    assert [chunk.content[0].text async for chunk in keys.run(keys.parse('{"b": 1, "a": 2}'))] == ['["a", "b"]']


def test_the_schema_is_copied():
    mine = json.loads(json.dumps(SCHEMA))
    made = tool(takes, parameters=mine)
    mine["properties"].clear()
    assert made.parameters == SCHEMA


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"type": "nonsense"}, "parameters of the tool 'takes' is no JSON schema at $.type: 'nonsense' is not valid"),
        (
            {"type": "object", "properties": {"n": 5}},
            "parameters of the tool 'takes' is no JSON schema at $.properties.n",
        ),
        ({"type": "array"}, "parameters of the tool 'takes' must be the JSON schema of an object"),
        ({"n": "integer"}, "parameters of the tool 'takes' must be the JSON schema of an object"),
        ({}, "parameters of the tool 'takes' must be the JSON schema of an object"),
        (["n"], "parameters of the tool 'takes' must be a JSON schema, got ['n']."),
        ({"type": "object", "default": object()}, "parameters of the tool 'takes' cannot be written as JSON: "),
    ],
)
def test_what_is_no_schema(parameters, says):
    with pytest.raises(ValueError) as caught:
        tool(takes, parameters=parameters)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


def test_a_schema_that_the_function_does_not_take():
    with pytest.raises(
        TypeError, match=r"^The schema of the tool 'takes' has 'm', which its function does not take by name"
    ):
        tool(takes, parameters={"type": "object", "properties": {"m": {}}})


def test_a_schema_that_refers_to_nowhere_fetches_nothing():
    made = tool(takes, parameters={"type": "object", "properties": {"n": {"$ref": "https://example.org/schema.json"}}})
    with pytest.raises(ToolInputError, match="cannot be checked by its schema"):
        made.parse('{"n": 1}')


def test_metadata_of_an_outside_result():
    made = tool(takes, parameters=SCHEMA, external=True, result_schema={"type": "object", "required": ["id"]})
    made.check_metadata({"id": 1})
    foreign.check_metadata({})
    with pytest.raises(
        ToolOutputError, match=r"^The metadata of a result of 'takes' do not fit its schema: 'id' is a requ"
    ):
        made.check_metadata({})
    with pytest.raises(ValueError, match=r"^result_schema of the tool 'takes' is no JSON schema"):
        tool(takes, parameters=SCHEMA, result_schema={"type": 5})


async def run(made):
    return [chunk async for chunk in made.run({})]


@pytest.mark.parametrize(
    ("error", "text"),
    [(SystemExit(3), "The tool raised SystemExit: 3."), (BaseException(), "The tool raised BaseException.")],
)
async def test_what_would_end_the_reader_on_the_loop_is_told_as_an_error(error, text):
    async def leaves() -> str:
        raise error

    with pytest.raises(RuntimeError) as caught:
        await run(tool(leaves))
    assert str(caught.value) == text
    assert caught.value.__cause__ is error


async def test_a_cancellation_from_inside_is_a_failure_and_one_from_outside_is_none():
    async def lost() -> str:
        raise asyncio.CancelledError

    with pytest.raises(RuntimeError, match=r"^The tool waited for something that was cancelled\.$"):
        await run(tool(lost))

    async def waits() -> str:
        await asyncio.Event().wait()

    task = asyncio.ensure_future(run(tool(waits)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
