"""What every room may use: words for what pydantic refuses, and makers of ids."""

import re
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError, field_validator

from nb_agentscope._common import encodable, first_problem, id_series, set_id_factory, short_repr


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


def test_a_series_of_ids_is_as_unique_and_obeys_the_factory():
    ids = [make() for make in (id_series(), id_series()) for _ in range(300)]
    assert len(set(ids)) == 600
    assert all(re.fullmatch("[0-9a-f]{32}", id) for id in ids)
    set_id_factory(lambda: "mine")
    try:
        assert id_series()() == "mine"
    finally:
        set_id_factory(None)
