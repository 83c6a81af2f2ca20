"""Words for what pydantic refuses."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError, field_validator

from nb_agentscope._common import encodable, first_problem, short_repr


class Model(BaseModel):
    inner: dict[str, int] = {}
    even: int = 0

    @field_validator("even")
    @classmethod
    def _check(cls, value: int) -> int:
        if value % 2:
            raise ValueError(f"{value} is odd")
        return value


def problem(value: Any, **options: int) -> str:
    with pytest.raises(ValidationError) as caught:
        Model.model_validate(value)
    return first_problem(caught.value, **options)


def test_place_message_and_value():
    said = "Input should be a valid integer, unable to parse string as an integer (got 'x')"
    assert problem({"inner": {"k": "x"}}) == f"inner.k: {said}"
    assert problem({"inner": {"k": "x"}}, skip=1) == f"k: {said}"
    assert problem({"inner": {"k": "x"}}, skip=2) == said


def test_only_the_first_of_several():
    assert "even" not in problem({"inner": 1, "even": 1})


def test_a_check_of_ours_is_quoted_as_it_is():
    assert problem({"even": 3}) == "even: 3 is odd"


def test_long_values_are_cut_and_odd_ones_named():
    assert len(problem({"inner": "x" * 5000})) < 250
    assert short_repr("x" * 5000, limit=5) == "'xxxx… (5002 characters)"

    class Shy:
        def __repr__(self) -> str:
            raise RuntimeError

    assert short_repr(Shy()) == "a Shy that cannot be shown"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ""),
        ("plain", "plain"),
        ("naïve 😀", "naïve 😀"),
        ("\ud83d\ude00", "😀"),
        ("a\udc80b", "a\ufffdb"),
        ("\ud83d", "\ufffd"),
    ],
)
def test_text_that_utf_8_can_carry(text, kept):
    assert encodable(text) == kept
    assert encodable(text).encode().decode() == kept
