"""Chat models: the protocol, and a scripted one that needs no network."""

from nb_agentscope.model._chat import CallDelta, ChatChunk, ChatModel, Finish, ToolChoice, ToolSpec
from nb_agentscope.model._scripted import ScriptedCall, ScriptedModel

__all__ = [
    "CallDelta",
    "ChatChunk",
    "ChatModel",
    "Finish",
    "ScriptedCall",
    "ScriptedModel",
    "ToolChoice",
    "ToolSpec",
]
