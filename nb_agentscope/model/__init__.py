"""Chat models: the protocol, and a scripted one that needs no network."""

from nb_agentscope.model._chat import CallDelta, ChatChunk, ChatModel, Finish, ToolChoice, ToolSpec

__all__ = ["CallDelta", "ChatChunk", "ChatModel", "Finish", "ToolChoice", "ToolSpec"]
