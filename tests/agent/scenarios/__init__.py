"""Every recorded scenario that an agent was driven for, as what was given to it."""

from tests.agent.scenarios import answers, asking, ending, tools
from tests.agent.scenarios._scenario import BUILDERS, Scenario

__all__ = ["BUILDERS", "Scenario", "answers", "asking", "ending", "tools"]
