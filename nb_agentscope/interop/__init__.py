"""Agents and streams from elsewhere: real AgentScope agents, any `reply_stream`, recordings."""

from nb_agentscope.interop._adopt import FINAL_MSG, adopt, adopt_msg, adopt_or_keep
from nb_agentscope.interop._replay import ReplayAgent
from nb_agentscope.interop._watch import watch_model
from nb_agentscope.interop._wrap import WrappedAgent, wrap

__all__ = ["FINAL_MSG", "ReplayAgent", "WrappedAgent", "adopt", "adopt_msg", "adopt_or_keep", "watch_model", "wrap"]
