"""The table of replies."""

from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._columns._common import AGENT, ENDED_AT, RUN, SEQ, SESSION_ID, STARTED_AT

_TOKENS = {
    "input_tokens": ("input tokens as reported", "gen_ai.usage.input_tokens"),
    "output_tokens": ("output tokens", "gen_ai.usage.output_tokens"),
    "cache_read_input_tokens": ("input tokens read from a cache", "gen_ai.usage.cache_read.input_tokens"),
    "cache_creation_input_tokens": ("input tokens written to a cache", "gen_ai.usage.cache_creation.input_tokens"),
}
_WHOSE = {"own": "Sum over the reply's own model calls", "subtree": "Sum over its model calls and its sub-agents'"}


def _part(name: str, what: str) -> Column:
    order = "where several kinds ran at once: model before tool before human before external"
    doc = f"Wall time that {what}; {order}. NA if the log does not tell when one of them ended."
    return Column(name, "float", doc, "s", "START to END")


REPLIES = Table(
    "replies",
    "One row for each reply; a sub-agent's replies name their parent.",
    ("reply_id",),
    (
        RUN,
        SEQ,
        Column("reply_id", "str", "Id of the reply and of its message.", source="reply_id", otel="gen_ai.response.id"),
        SESSION_ID,
        AGENT,
        Column(
            "role", "cat", "Role of the message.", source="REPLY_START.role", categories=("assistant", "user", "system")
        ),
        Column("parent_reply_id", "str", "Reply that called this agent.", source="metadata.parent_reply_id"),
        Column("parent_tool_call_id", "str", "Tool call that runs this agent.", source="metadata.parent_tool_call_id"),
        Column("depth", "int", "0 for the outermost agent, 1 for its sub-agents, and so on.", source="metadata.source"),
        STARTED_AT,
        ENDED_AT,
        Column(
            "finished_reason",
            "cat",
            "Why it ended; waiting: for a person or a program outside; open: no end in the log.",
            source="REPLY_END.finished_reason",
            categories=("completed", "interrupted", "exceed_max_iters", "error", "open", "waiting"),
        ),
        Column("error_type", "cat", "Kind of failure.", source="REPLY_END.error.type", otel="error.type"),
        Column("error_message", "str", "Why it failed, in words.", source="REPLY_END.error.message"),
        Column("segments", "int", "1 + how often it went on after an answer from outside.", source="client events"),
        Column(
            "wall_s",
            "float",
            "End less start; up to its newest event where it has not ended.",
            "s",
            "REPLY_START, REPLY_END",
            "gen_ai.invoke_agent.duration",
        ),
        _part("model_s", "a model call took"),
        _part("tool_s", "a local tool or a sub-agent ran"),
        _part("human_wait_s", "a person was waited for"),
        _part("external_wait_s", "a program outside was waited for"),
        Column(
            "overlap_s",
            "float",
            "Time in which two or more kinds went on at once; it is counted once, in the first kind.",
            "s",
            "START to END",
        ),
        Column(
            "overhead_s",
            "float",
            "Time in which none of them went on: wall_s less the four parts. Calls of the model that emit no events are in it.",
            "s",
            "gaps",
        ),
        Column(
            "tool_concurrency_max",
            "int",
            "Most local tools and sub-agents that ran at one moment.",
            source="START to END",
        ),
        Column(
            "tool_concurrency_mean",
            "float",
            "How many ran at a moment, averaged from the first start to the last end; NA if none ran.",
            source="START to END",
        ),
        Column(
            "tool_overlap_factor",
            "float",
            "Sum of their durations by the length of their union: 1 if none overlaps; NA if none ran.",
            source="START to END",
        ),
        Column("ttft_s", "float", "First visible text less REPLY_START; NA without text.", "s", "TEXT_BLOCK_DELTA"),
        Column(
            "time_to_first_event_s",
            "float",
            "REPLY_START less the moment the input was handed in; NA where the log has no input.",
            "s",
            "nb_agentscope.input",
        ),
        Column(
            "n_model_calls",
            "int",
            "Model calls.",
            source="MODEL_CALL_START",
            otel="gen_ai.invoke_agent.inference_calls",
        ),
        Column("n_tool_calls", "int", "Tool calls.", source="TOOL_CALL_START", otel="gen_ai.invoke_agent.tool_calls"),
        Column("n_denied", "int", "Tool calls that were denied.", source="TOOL_RESULT_END.state"),
        Column("n_errors", "int", "Tool calls that failed.", source="TOOL_RESULT_END.state"),
        Column("n_approvals", "int", "Questions to a person.", source="REQUIRE_USER_CONFIRM"),
        *(
            Column(
                f"{whose}_{name}",
                "int",
                f"{text}: {what}; unknown usage left out, NA if none is known.",
                "tokens",
                f"model_calls.{name}",
                otel,
            )
            for whose, text in _WHOSE.items()
            for name, (what, otel) in _TOKENS.items()
        ),
        Column("n_unknown_usage", "int", "Own model calls whose usage is not known.", source="model_calls.usage_known"),
        Column("text", "str", "All visible text of the reply.", source="TEXT_BLOCK_DELTA"),
    ),
)
