"""What a docstring gives to the model."""

import pytest

from nb_agentscope.tools._docstring import parsed


def test_nothing_of_nothing():
    assert parsed(None) == parsed("") == ("", {})


def test_a_whole_docstring():
    def f(a, b, c):
        """Read a file,
        from here.

        Not for the model.

        Args:
            a: One.
            b (int, optional): Two: it
                goes on.

                And on.
            **c: Rest.
                note: not a parameter

        Returns:
            d: Nothing.
        """

    assert parsed(f.__doc__) == (
        "Read a file, from here.",
        {"a": "One.", "b": "Two: it goes on. And on.", "c": "Rest. note: not a parameter"},
    )


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("Sum.\n\nArguments:\n  a: One", {"a": "One"}),
        ("Sum.\n\nArgs:", {}),
        ("Sum.\n\nArgs:\nnot indented: x", {}),
        ("Sum.\n\nArgs:\n    words without a name\n    a: One", {"a": "One"}),
        ("Sum.\n\nArgs:\n    a:\n        One", {"a": "One"}),
    ],
)
def test_odd_sections(text, entries):
    assert parsed(text).parameters == entries


def test_only_a_section_is_no_summary():
    assert parsed("Args:\n    a: One").summary == ""
