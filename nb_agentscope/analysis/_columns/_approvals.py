"""The table of what was asked of people and programs outside."""

from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._columns._common import AGENT, REPLY_ID, RUN, SEQ, TOOL_CALL_ID, tool_column

APPROVALS = Table(
    "approvals",
    "One row for each call that somebody outside the agent had to decide on or to run.",
    ("reply_id", "tool_call_id", "seq"),
    (
        RUN,
        SEQ,
        TOOL_CALL_ID,
        REPLY_ID,
        AGENT,
        tool_column("tool"),
        Column(
            "kind",
            "cat",
            "confirm: may it run; external: run it; ask_user: the call is a question to the user.",
            source="REQUIRE_USER_CONFIRM, REQUIRE_EXTERNAL_EXECUTION",
            categories=("confirm", "external", "ask_user"),
        ),
        Column("asked_at", "time", "When it was asked.", source="REQUIRE_*"),
        Column(
            "shown_at",
            "time",
            "When its card first was in the window of a page that was not hidden, by the kernel's clock; NA: never told.",
            source="CUSTOM nb_agentscope.shown",
        ),
        Column(
            "decided_at",
            "time",
            "When the answer was given; NA without one, or where only its effect is in the log.",
            source="USER_CONFIRM_RESULT, EXTERNAL_EXECUTION_RESULT, USER_INTERRUPT",
        ),
        Column("wait_s", "float", "decided_at less asked_at.", "s"),
        Column("reaction_s", "float", "decided_at less shown_at; NA without one of them.", "s"),
        Column(
            "decision",
            "cat",
            "What was decided; expired: the reply ended before.",
            categories=("approved", "denied", "interrupted", "answered", "expired", "pending"),
        ),
        Column(
            "decided_by",
            "cat",
            "Who decided; NA where the log does not say.",
            source="recorded.by",
            categories=("user", "rule", "policy", "code"),
        ),
        Column("edited", "bool", "Whether the arguments were changed; NA without a decision."),
        Column("input_before", "str", "Arguments as they were asked about."),
        Column("input_after", "str", "Arguments that were approved; NA else.", source="USER_CONFIRM_RESULT"),
        Column("args_sha256", "str", "SHA-256, in hex, of the approved arguments, else of those asked about."),
        Column("n_rules_offered", "int", "Rules that could be accepted.", source="suggested_rules"),
        Column("n_rules_accepted", "int", "Rules that were accepted; NA without a decision.", source="rules"),
        Column("rules", "object", "The accepted rules, a list of dicts.", source="rules"),
        Column("note", "str", "What the person said.", source="metadata"),
        Column("batch_id", "str", "Id of the first question since the last answer: what was asked together."),
        Column("n_clicks_ignored", "int", "Later answers in the log, which changed nothing."),
    ),
)
