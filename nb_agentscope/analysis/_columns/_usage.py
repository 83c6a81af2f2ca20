"""The table of usage; the columns that it is grouped by come first."""

from nb_agentscope.analysis._column import Column, Table


def _tokens(name: str) -> Column:
    return Column(name, "int", f"Sum of {name}; what is unknown left out, NA if none is known.", "tokens")


def _percentile(metric: str, share: int, unit: str) -> Column:
    name = metric.replace("_s", f"_p{share}_s") if metric.endswith("_s") else f"{metric}_p{share}"
    return Column(name, "float", f"{share}th percentile of {metric}; unknown left out.", unit)


USAGE = Table(
    "usage",
    "One row for each group of model calls.",
    (),
    (
        Column("calls", "int", "Model calls."),
        Column("n_unknown", "int", "Of these, calls whose usage is not known: the sums are then lower bounds."),
        _tokens("input_tokens"),
        _tokens("output_tokens"),
        _tokens("cache_read_input_tokens"),
        _tokens("cache_creation_input_tokens"),
        _tokens("total_tokens"),
        _tokens("input_tokens_total"),
        _tokens("input_tokens_uncached"),
        Column(
            "cache_hit_ratio",
            "float",
            "Tokens read from a cache by all input tokens, over calls where both are known; NA if another call read some.",
        ),
        Column("input_cost", "float", "Sum of input_cost; NA if none is known.", "USD"),
        Column("output_cost", "float", "Sum of output_cost; NA if none is known.", "USD"),
        Column("total_cost", "float", "Sum of total_cost; NA if none is known.", "USD"),
        Column("n_unknown_cost", "int", "Calls whose total cost is not known."),
        _percentile("ttft_s", 50, "s"),
        _percentile("ttft_s", 95, "s"),
        _percentile("tpot_s", 50, "s/token"),
        _percentile("tpot_s", 95, "s/token"),
        _percentile("output_tps", 50, "tokens/s"),
    ),
)
