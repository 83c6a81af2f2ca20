"""Where our agent does otherwise than the recorded one, line by line, and why."""

_CLOSED = "A reply that was begun is always ended: open blocks, the model call, then exactly one REPLY_END."

DIFFERENCES: dict[str, list[tuple[str, str]]] = {}

# Hints that only the model gets to see: (scenario, number of the model call) -> a word of each.
HINTS_BESIDE_THE_STREAM: dict[tuple[str, int], list[str]] = {("max_iters", 2): ["rounds"]}
