"""A rule as people read it."""

import pytest

from tests.permission.tools import DENY, rule


@pytest.mark.parametrize(("content", "pattern"), [("a/**", "probe(a/**)"), ("", "probe"), (None, "probe")])
def test_a_rule_as_it_is_written_and_as_json(content, pattern):
    made = rule(DENY, content)
    assert made.pattern == pattern
    assert list(made.model_dump()) == ["tool_name", "rule_content", "behavior", "source"]
