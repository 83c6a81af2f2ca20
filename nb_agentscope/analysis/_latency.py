"""How fast a model call answered. Times in seconds on one clock; None where it cannot be known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import floor, nan
from operator import sub
from typing import NamedTuple


class Deltas(NamedTuple):
    """When the content of a model call came: its deltas with a payload (text, thinking, arguments or data), in log order.

    Empty deltas do not count.
    """

    n: int = 0
    """How many."""
    first: float | None = None
    """Time of the first."""
    last: float | None = None
    """Time of the last."""
    times: Sequence[float] | None = None
    """Times of all; None if they are not kept, as in a compacted log."""

    @classmethod
    def of(cls, times: Sequence[float]) -> Deltas:
        """The deltas at these times."""
        return cls(len(times), times[0], times[-1], times) if times else cls()


class Latency(NamedTuple):
    """The measures of one model call, named as the columns of the table of model calls."""

    duration_s: float | None
    """End less start."""
    streamed: bool
    """Whether content came in two or more deltas, at two or more times."""
    ttft_s: float | None
    """First delta less start of the call; None if not streamed."""
    generation_s: float | None
    """Last delta less first; None if not streamed."""
    tpot_s: float | None
    """Seconds for each output token after the first: generation by (output tokens - 1)."""
    itl_p50_s: float | None
    """Median gap between neighbouring deltas (which are chunks, not tokens)."""
    itl_p95_s: float | None
    """95th percentile of the gaps."""
    itl_max_s: float | None
    """Longest gap."""
    output_tps: float | None
    """Decode rate: 1 / tpot, in tokens per second."""
    e2e_tps: float | None
    """Output tokens by the duration of the whole call, in tokens per second."""


class Gaps(NamedTuple):
    """Gaps between neighbouring deltas, in seconds."""

    p50: float | None
    p95: float | None
    max: float | None


def latency(start: float | None, end: float | None, deltas: Deltas, output_tokens: int | None) -> Latency:
    """All measures of one model call.

    Args:
        start: When the call started; None if not known.
        end: When it ended; None if it has not, or that is not known.
        deltas: When its content came, on the same clock.
        output_tokens: Generated tokens; None if the usage is not known.
    """
    duration = elapsed(start, end)
    generated = generation(deltas)
    per_token = tpot(generated, output_tokens)
    gaps = inter_delta(deltas)
    return Latency(
        duration_s=duration,
        streamed=streamed(deltas),
        ttft_s=ttft(start, deltas),
        generation_s=generated,
        tpot_s=per_token,
        itl_p50_s=gaps.p50,
        itl_p95_s=gaps.p95,
        itl_max_s=gaps.max,
        output_tps=output_tps(per_token),
        e2e_tps=e2e_tps(output_tokens, duration),
    )


def elapsed(start: float | None, end: float | None) -> float | None:
    """Seconds from start to end; None if either is not known, or the clock ran backwards."""
    if start is None or end is None:
        return None
    return end - start if end >= start else None


def streamed(deltas: Deltas) -> bool:
    """Whether there are two or more deltas, at two or more times.

    First and last decide, so that a compacted log says the same.
    """
    return deltas.n >= 2 and deltas.first != deltas.last


def ttft(start: float | None, deltas: Deltas) -> float | None:
    """Seconds to the first delta; None if not streamed: the first is then the whole answer."""
    return elapsed(start, deltas.first) if streamed(deltas) else None


def generation(deltas: Deltas) -> float | None:
    """Seconds from the first delta to the last; None if not streamed: when it was generated is then not seen."""
    return elapsed(deltas.first, deltas.last) if streamed(deltas) else None


def tpot(generation_s: float | None, output_tokens: int | None) -> float | None:
    """Seconds for each output token after the first; None if the call has fewer than two tokens or was not streamed."""
    if generation_s is None or output_tokens is None or output_tokens < 2:
        return None
    return generation_s / (output_tokens - 1)


def inter_delta(deltas: Deltas) -> Gaps:
    """Percentiles of the gaps between neighbouring deltas; None if not streamed or the clock ran backwards among them."""
    if deltas.times is None or not streamed(deltas):
        return Gaps(None, None, None)
    gaps = sorted(map(sub, islice(deltas.times, 1, None), deltas.times))
    if not gaps[0] >= 0:
        return Gaps(None, None, None)
    return Gaps(percentile(gaps, 0.5), percentile(gaps, 0.95), gaps[-1])


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of sorted values lies, interpolated between neighbours as pandas and NumPy do."""
    if not ordered:
        return nan
    place = (len(ordered) - 1) * share
    low = floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def output_tps(tpot_s: float | None) -> float | None:
    """Tokens per second while it generated, the first token apart."""
    return 1 / tpot_s if tpot_s else None


def e2e_tps(output_tokens: int | None, duration_s: float | None) -> float | None:
    """Tokens per second of the whole call, from its start to its end."""
    return output_tokens / duration_s if output_tokens is not None and duration_s else None
