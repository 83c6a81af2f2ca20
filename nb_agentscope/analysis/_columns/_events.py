"""The table of events."""

from nb_agentscope.analysis._column import METADATA, Column, Table
from nb_agentscope.analysis._columns._common import REPLY_ID, RUN, SEQ, SESSION_ID, TOOL_CALL_ID, tool_column
from nb_agentscope.event import EventType

EVENTS = Table(
    "events",
    "One row for each event, in the order of the log.",
    ("seq",),
    (
        RUN,
        SEQ,
        Column("event_id", "str", "Id of the event.", source="id"),
        Column("type", "cat", "Type of the event.", source="type", categories=tuple(EventType)),
        Column(
            "created_at", "time", "When the agent says it made the event; NA if that is no time.", source="created_at"
        ),
        Column("recorded_at", "time", "When it was logged; NA in a plain stream.", source="recorded.at"),
        Column(
            "mono_s",
            "float",
            "When it was logged, by a clock that never goes back; compare only within one process.",
            "s",
            "recorded.mono",
        ),
        SESSION_ID,
        REPLY_ID,
        Column(
            "source", "str", "Path of names of the sub-agent; NA for the outermost agent.", source="metadata.source"
        ),
        Column(
            "parent_tool_call_id",
            "str",
            "Tool call that runs the sub-agent; NA for the outermost agent, or if not told.",
            source="metadata.parent_tool_call_id",
        ),
        Column("block_id", "str", "Block that the event belongs to; NA if it belongs to none.", source="block_id"),
        TOOL_CALL_ID,
        tool_column("tool_name"),
        Column(
            "direction",
            "cat",
            "out: from the agent; in: handed to the agent.",
            source="recorded.dir",
            categories=("out", "in"),
        ),
        Column("delta_chars", "int", "Characters of text that a delta adds; NA for others.", "characters", "delta"),
        Column("data_bytes", "int", "Decoded bytes that a delta adds; NA for others.", "bytes", "data"),
        Column("media_type", "cat", "Media type of data.", source="media_type"),
        Column("data_sha256", "str", "SHA-256 of the decoded bytes of a delta, in hex.", source="data"),
        Column("text", "str", "The text of a delta, or the final text of a block.", source="delta, text", opt_in=True),
        Column(
            "finished_reason",
            "cat",
            "Why a reply or a model call ended.",
            source="finished_reason",
            otel="gen_ai.response.finish_reasons",
            categories=("completed", "interrupted", "exceed_max_iters", "error"),
        ),
        Column(
            "state",
            "cat",
            "How a tool result ended.",
            source="TOOL_RESULT_END.state",
            categories=("success", "error", "denied", "interrupted", "running"),
        ),
        Column("metadata", "object", "The event's metadata, a dict.", source="metadata", opt_in=True),
        Column(
            "duplicate", "bool", "Whether an earlier event of the log has this id; other tables skip such.", source="id"
        ),
    ),
    Column(
        METADATA + "*",
        "object",
        "The value of one key of the metadata, such as `metadata_foo`, as it is in the log; NA if the event has no such key.",
        source="metadata",
        opt_in=True,
    ),
)
