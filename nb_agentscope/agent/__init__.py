"""The agent: a light reason-act loop that yields AgentScope's events."""

from nb_agentscope.agent._agent import Agent
from nb_agentscope.agent._hints import Hint, current_time, repeated_failure
from nb_agentscope.agent._state import AgentState, OpenReply, SubReply, ToRun
from nb_agentscope.agent._sub_agent import SubAgentTool

__all__ = [
    "Agent",
    "AgentState",
    "Hint",
    "OpenReply",
    "SubAgentTool",
    "SubReply",
    "ToRun",
    "current_time",
    "repeated_failure",
]
