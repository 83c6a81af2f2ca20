"""Columns that several tables have."""

from nb_agentscope.analysis._column import Column

RUN = Column("run", "cat", "Name of the log: its file name without suffix, made unique.", source="argument")
SEQ = Column("seq", "int", "Place of the row's first event in its log: the only trusted order.", source="recorded.seq")
REPLY_ID = Column("reply_id", "str", "Reply that it belongs to.", source="reply_id", otel="gen_ai.response.id")
AGENT = Column("agent", "cat", "Name of the agent.", source="REPLY_START.name", otel="gen_ai.agent.name")
SESSION_ID = Column(
    "session_id", "str", "Session of the agent.", source="REPLY_START.session_id", otel="gen_ai.conversation.id"
)
TOOL_CALL_ID = Column("tool_call_id", "str", "Id of the tool call.", source="tool_call_id", otel="gen_ai.tool.call.id")


def tool_column(name: str) -> Column:
    """The name of a tool, as a column of this name."""
    return Column(name, "cat", "Name of the tool.", source="tool_call_name", otel="gen_ai.tool.name")


STARTED_AT = Column("started_at", "time", "When it began; as recorded, else as the event says.", source="recorded.at")
ENDED_AT = Column("ended_at", "time", "When it ended; NA while it has not.", source="recorded.at")
