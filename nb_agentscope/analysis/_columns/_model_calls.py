"""The table of model calls."""

from nb_agentscope.analysis._column import Column, Table
from nb_agentscope.analysis._columns._common import AGENT, ENDED_AT, REPLY_ID, RUN, SEQ, STARTED_AT


def _gap(name: str, what: str) -> Column:
    return Column(
        name,
        "float",
        f"{what} gap between neighbouring deltas that hold something (chunks, not tokens).",
        "s",
        "deltas",
        "gen_ai.client.operation.time_per_output_chunk",
        by_delta=True,
    )


def _cost(name: str, what: str) -> Column:
    return Column(
        name, "float", f"{what} by `prices=`; NA without a price, a count or the accounting.", "USD", "prices"
    )


MODEL_CALLS = Table(
    "model_calls",
    "One row for each model call with events (`kind` visible). A model that is watched (`watch_model`) also gives a row for each "
    "of its calls without events, such as those that compress the context (`kind` hidden); these are in no sum of other tables.",
    ("model_call_id",),
    (
        RUN,
        SEQ,
        Column("model_call_id", "str", "Reply and number of the call: {reply_id}:{index}."),
        REPLY_ID,
        AGENT,
        Column(
            "kind",
            "cat",
            "visible: its events are in the log; hidden: it has none, but the model was watched.",
            source="MODEL_CALL_START, CUSTOM nb_agentscope.model_call",
            categories=("visible", "hidden"),
        ),
        Column("index", "int", "Number of the call in its reply, from 0; NA if hidden.", source="MODEL_CALL_START"),
        Column("model", "cat", "Name of the model.", source="MODEL_CALL_START.model_name", otel="gen_ai.request.model"),
        Column("model_is_requested", "bool", "Whether `model` is the requested one; a fallback may have answered."),
        STARTED_AT,
        Column("first_delta_at", "time", "When its first content came.", source="deltas"),
        ENDED_AT,
        Column(
            "status",
            "cat",
            "How it ended; error: it has no end, or its reply failed; open: the log ends before it does.",
            source="MODEL_CALL_END.finished_reason",
            categories=("completed", "interrupted", "error", "open"),
        ),
        Column(
            "duration_s",
            "float",
            "End less start, with prompt building, retries and fallback.",
            "s",
            "MODEL_CALL_START, MODEL_CALL_END",
            "gen_ai.client.operation.duration",
        ),
        Column(
            "ttft_s",
            "float",
            "First delta that holds something less start; NA if not streamed.",
            "s",
            "deltas",
            "gen_ai.client.operation.time_to_first_chunk",
        ),
        Column(
            "ttft_kind",
            "cat",
            "What the first delta holds; NA if not streamed.",
            source="deltas",
            categories=("text", "thinking", "tool_call", "data"),
        ),
        Column("generation_s", "float", "Last delta less first; NA if not streamed.", "s", "deltas"),
        Column("n_deltas", "int", "Deltas that hold something.", source="deltas"),
        Column("streamed", "bool", "Whether they are two or more, at two or more times.", source="deltas"),
        Column(
            "input_tokens",
            "int",
            "Input tokens as the provider reported them.",
            "tokens",
            "MODEL_CALL_END.input_tokens",
            "gen_ai.usage.input_tokens",
        ),
        Column(
            "output_tokens",
            "int",
            "Output tokens.",
            "tokens",
            "MODEL_CALL_END.output_tokens",
            "gen_ai.usage.output_tokens",
        ),
        Column(
            "cache_read_input_tokens",
            "int",
            "Input tokens read from a cache.",
            "tokens",
            "MODEL_CALL_END.cache_input_tokens",
            "gen_ai.usage.cache_read.input_tokens",
        ),
        Column(
            "cache_creation_input_tokens",
            "int",
            "Input tokens written to a cache.",
            "tokens",
            "MODEL_CALL_END.cache_creation_input_tokens",
            "gen_ai.usage.cache_creation.input_tokens",
        ),
        Column("total_tokens", "int", "Input tokens as reported and output tokens.", "tokens"),
        Column("usage_known", "bool", "Whether the call reported its usage; 0 and 0 say that it did not."),
        Column(
            "cache_accounting",
            "cat",
            "Whether the reported input holds the cached tokens: as `prices=` says, or as the numbers prove.",
            source="prices",
            categories=("inclusive", "exclusive", "unknown"),
        ),
        Column(
            "input_tokens_total",
            "int",
            "All input tokens, cached ones included; NA if the accounting is not known.",
            "tokens",
        ),
        Column("input_tokens_uncached", "int", "Input tokens that no cache read or wrote.", "tokens"),
        Column("cache_hit_ratio", "float", "Share of all input tokens that were read from a cache, 0 to 1."),
        Column(
            "tpot_s",
            "float",
            "generation_s by (output_tokens - 1); NA below two tokens, if not streamed, or unknown.",
            "s/token",
            "deltas, MODEL_CALL_END",
            "gen_ai.server.time_per_output_token",
        ),
        _gap("itl_p50_s", "Median"),
        _gap("itl_p95_s", "95th percentile"),
        _gap("itl_max_s", "Longest"),
        Column("output_tps", "float", "Decode rate: 1 / tpot_s.", "tokens/s"),
        Column("e2e_tps", "float", "output_tokens by duration_s.", "tokens/s"),
        Column("text_chars", "int", "Characters of text.", "characters", "TEXT_BLOCK_DELTA"),
        Column("thinking_chars", "int", "Characters of thinking.", "characters", "THINKING_BLOCK_DELTA"),
        Column("tool_calls", "int", "Tool calls that it made.", source="TOOL_CALL_START"),
        Column(
            "attempts",
            "int",
            "Calls of watched models in it: the one that answered, retries and fallbacks; NA if the model is not watched.",
            source="CUSTOM nb_agentscope.model_call",
        ),
        _cost("input_cost", "Cost of the input, cached or not,"),
        _cost("output_cost", "Cost of the output"),
        _cost("total_cost", "Cost of both"),
    ),
)
