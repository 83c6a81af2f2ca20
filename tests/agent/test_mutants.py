"""Wrong agents, each of which the laws must find."""

import pytest

from tests.agent.machine import use
from tests.agent.mutants import MUTANTS
from tests.agent.test_laws import EXAMPLES


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_agent_is_found(name, monkeypatch):
    monkeypatch.setattr(*MUTANTS[name])
    with pytest.raises(Exception):  # noqa: B017 - whatever a law raises
        use("default", EXAMPLES["default"])
