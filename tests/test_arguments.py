"""Arguments are read strictly, and checked without a network."""

import pytest
from jsonschema.exceptions import SchemaError

from nb_agentscope._arguments import UnfitArguments, check_arguments, fits, json_object, validator

SCHEMA = {"type": "object", "properties": {"a": {"type": "object", "properties": {"n": {"type": "integer"}}}}}


def test_an_object():
    assert json_object('{"a": {"n": 1}}') == {"a": {"n": 1}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "are not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("[]", "must be a JSON object, got list"),
        ('{"a": -Infinity}', "are not JSON: -Infinity is not a JSON number"),
        ('{"a": 1, "a": 1}', "are not JSON: the key 'a' stands in it twice"),
        ("[" * 100_000, "are nested too deeply"),
    ],
)
def test_no_object(text, says):
    with pytest.raises(UnfitArguments) as caught:
        json_object(text)
    assert str(caught.value) == says


@pytest.mark.parametrize("by", [SCHEMA, validator(SCHEMA)], ids=["schema", "validator"])
def test_the_place_is_told(by):
    check_arguments({"a": {"n": 1}}, by)
    with pytest.raises(UnfitArguments, match=r"^do not fit its schema at \$\.a\.n: 'x' is not of type 'integer'$"):
        check_arguments({"a": {"n": "x"}}, by)


def test_a_schema_that_contains_itself_is_followed_to_the_end():
    endless = {"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}
    with pytest.raises(UnfitArguments, match=r"^are nested too deeply$"):
        check_arguments({}, endless)
    assert not fits("{}", endless)


def test_what_is_no_schema():
    with pytest.raises(SchemaError):
        validator({"type": 5})
    with pytest.raises(UnfitArguments, match=r"^cannot be checked by its schema: 5 is not valid under any"):
        check_arguments({}, {"type": 5})
    assert not fits("{}", {"type": 5})
