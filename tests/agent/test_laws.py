"""An agent under arbitrary use: see `machine.py` for what is done to it and `oracle.py` for what must come of it."""

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.agent.machine import SEEN, Machine


@settings(max_examples=100, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(8, 40))
def test_whatever_is_done_to_an_agent(data, steps):
    Machine(data).use(steps)


def test_all_of_it_was_reached():
    for name, count in sorted(SEEN.items()): print(count, name)
