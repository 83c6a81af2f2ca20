"""Tools: typed functions with a JSON schema, and what they give."""

from nb_agentscope.tool._chunk import ToolChunk

__all__ = ["ToolChunk"]
