"""The table of intervals: what went on when, for a timeline."""

from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._columns._common import REPLY_ID, RUN, SEQ

INTERVALS = Table(
    "intervals",
    "One row for each span in which a model, a tool, a person, a program outside or a sub-agent was at it.",
    ("kind", "ref_id", "seq"),
    (
        RUN,
        SEQ,
        REPLY_ID,
        Column("lane", "cat", "Agent of a model call, else the tool: where a timeline draws it."),
        Column("kind", "cat", "Who was at it.", categories=("model", "tool", "human", "external", "subagent")),
        Column("ref_id", "str", "Id of the model call or the tool call."),
        Column("start", "time", "When it began."),
        Column(
            "end",
            "time",
            "When it ended; NA while it goes on, or if not known. What a failed or stopped reply left open ended with it.",
        ),
        Column("duration_s", "float", "End less start.", "s"),
        Column(
            "critical",
            "bool",
            "Whether it lies on the path that decided when its reply ended; NA for a reply without end.",
        ),
        Column(
            "slack_s",
            "float",
            "How much longer it could have taken without moving the end of its reply; NA as `critical`, and for no time.",
            "s",
        ),
    ),
)
