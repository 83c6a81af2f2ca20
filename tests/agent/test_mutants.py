"""Wrong agents, each of which the laws must find."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.agent.machine import Machine
from tests.agent.mutants import MUTANTS


def use(examples=60):
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(st.data(), st.integers(8, 40))
    def run(data, steps):
        Machine(data).use(steps)

    run()


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_agent_is_found(name, monkeypatch):
    monkeypatch.setattr(*MUTANTS[name])
    with pytest.raises(BaseException):  # noqa: B017, PT011 - whatever a law raises
        use()
