"""The table of blocks: the messages, as measured."""

from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._columns._common import AGENT, ENDED_AT, REPLY_ID, RUN, SEQ, STARTED_AT

BLOCKS = Table(
    "blocks",
    "One row for each block of a reply's message.",
    ("reply_id", "order"),
    (
        RUN,
        SEQ,
        Column("block_id", "str", "Id of the block, or of the tool call; `id#2` for one that is used again."),
        REPLY_ID,
        AGENT,
        Column("order", "int", "Place in the reply, from 0.", source="START"),
        Column(
            "kind",
            "cat",
            "What it holds.",
            source="type",
            categories=("text", "thinking", "tool_call", "tool_result", "data", "hint"),
        ),
        Column(
            "tool",
            "cat",
            "Tool of a call and of a result; NA for others.",
            source="tool_call_name",
            otel="gen_ai.tool.name",
        ),
        STARTED_AT,
        ENDED_AT,
        Column("duration_s", "float", "End less start.", "s", "START, END"),
        Column("chars", "int", "Characters of text.", "characters", "deltas"),
        Column("bytes", "int", "Decoded bytes of data.", "bytes", "deltas"),
        Column("media_type", "cat", "Media type of data.", source="media_type"),
        Column("source", "str", "Who gave a hint.", source="HINT_BLOCK.source"),
        Column("text", "str", "Its text; of a tool call its arguments.", source="deltas", opt_in=True),
        Column("n_deltas", "int", "Deltas that hold something.", source="deltas"),
        Column("complete", "bool", "Whether it has its end.", source="END"),
    ),
)
