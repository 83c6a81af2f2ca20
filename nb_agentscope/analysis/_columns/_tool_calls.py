"""The table of tool calls."""

from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._columns._common import AGENT, ENDED_AT, REPLY_ID, RUN, SEQ, TOOL_CALL_ID, tool_column

TOOL_CALLS = Table(
    "tool_calls",
    "One row for each tool call.",
    ("reply_id", "tool_call_id", "occurrence"),
    (
        RUN,
        SEQ,
        TOOL_CALL_ID,
        Column(
            "occurrence", "int", "1, and more where a provider uses an id again in a reply.", source="TOOL_CALL_START"
        ),
        REPLY_ID,
        AGENT,
        Column("model_call_id", "str", "Model call that made it; NA outside one.", source="TOOL_CALL_START"),
        tool_column("tool"),
        Column(
            "kind",
            "cat",
            "local: run by the agent; external: handed out; subagent: runs another agent; NA: not begun.",
            source="REQUIRE_EXTERNAL_EXECUTION, metadata",
            categories=("local", "external", "subagent"),
        ),
        Column(
            "args_json",
            "str",
            "Arguments as the model wrote them.",
            source="TOOL_CALL_DELTA",
            otel="gen_ai.tool.call.arguments",
        ),
        Column("args_valid", "bool", "Whether they are a JSON object; empty arguments are."),
        Column("args_repaired", "bool", "Whether a repair of them was shown or ran; NA where the log does not tell."),
        Column("args_edited", "bool", "Whether a person changed them.", source="USER_CONFIRM_RESULT"),
        Column("args_chars", "int", "Their length.", "characters", "TOOL_CALL_DELTA"),
        Column("called_at", "time", "When the model began the call.", source="TOOL_CALL_START"),
        Column("args_done_at", "time", "When its arguments were complete.", source="TOOL_CALL_END"),
        Column("exec_started_at", "time", "When its result began.", source="TOOL_RESULT_START"),
        ENDED_AT,
        Column("args_stream_s", "float", "args_done_at less called_at.", "s", "TOOL_CALL_START, TOOL_CALL_END"),
        Column(
            "queue_s",
            "float",
            "args_done_at to exec_started_at, without what a person was waited for.",
            "s",
            "TOOL_CALL_END, TOOL_RESULT_START",
        ),
        Column(
            "human_wait_s",
            "float",
            "Time in which a person was asked about it; NA if that is not known.",
            "s",
            "REQUIRE_USER_CONFIRM, USER_CONFIRM_RESULT",
        ),
        Column(
            "exec_s",
            "float",
            "ended_at less exec_started_at; NA for external calls.",
            "s",
            "TOOL_RESULT_START, TOOL_RESULT_END",
            "gen_ai.execute_tool.duration",
        ),
        Column(
            "external_wait_s",
            "float",
            "Time in which a program outside had it; NA for other calls.",
            "s",
            "REQUIRE_EXTERNAL_EXECUTION, EXTERNAL_EXECUTION_RESULT",
        ),
        Column("total_s", "float", "ended_at less called_at.", "s", "TOOL_CALL_START, TOOL_RESULT_END"),
        Column(
            "state",
            "cat",
            "How it ended, or where it stands.",
            source="TOOL_RESULT_END.state",
            categories=("success", "error", "denied", "interrupted", "running", "pending", "asking", "submitted"),
        ),
        Column("result_chars", "int", "Characters of text of the result.", "characters", "TOOL_RESULT_TEXT_DELTA"),
        Column("result_bytes", "int", "Decoded bytes of data of the result.", "bytes", "TOOL_RESULT_DATA_DELTA"),
        Column("n_images", "int", "Images in the result.", source="TOOL_RESULT_DATA_DELTA"),
        Column("n_deltas", "int", "Deltas of the result that hold something.", source="TOOL_RESULT deltas"),
        Column("first_result_s", "float", "First of them less exec_started_at.", "s", "TOOL_RESULT deltas"),
        Column(
            "parallel_with",
            "int",
            "Other calls of the reply that ran at a moment when this one did; NA if it did not run here.",
        ),
        Column(
            "approval",
            "cat",
            "Who let it run: none: nobody was asked; auto: a policy or code; rule: an accepted rule; NA: "
            "somebody, the log does not say who.",
            source="recorded.by",
            categories=("none", "auto", "user", "rule"),
        ),
        Column("rule", "str", "Rule that was accepted with it, or that let it run: tool(content)."),
    ),
)
