"""Token counts of a model call: which are known, and whether the input includes what came from a cache."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

_MAX = 10**12
"""No call has as many tokens; sums of smaller ones fit in a table."""
Accounting = Literal["inclusive", "exclusive", "unknown"]
"""Whether the reported input tokens include cached ones (OpenAI), exclude them (Anthropic), or nobody knows."""


class Tokens(NamedTuple):
    """What a provider reported; None where it is not known."""

    input: int | None = None
    """Prompt tokens, with or without cached ones."""
    output: int | None = None
    """Generated tokens."""
    cache_read: int | None = None
    """Prompt tokens read from a cache."""
    cache_creation: int | None = None
    """Prompt tokens written to a cache."""

    @property
    def known(self) -> bool:
        """Whether the provider reported the usage of this call."""
        return self.input is not None or self.output is not None

    @property
    def total(self) -> int | None:
        """Input as reported and output together."""
        return None if self.input is None or self.output is None else self.input + self.output


class CachedInput(NamedTuple):
    """The input tokens, read by an accounting; None where that, or a number, is not known."""

    accounting: Accounting
    """How the reported input was read."""
    total: int | None
    """All input tokens: uncached, read from the cache and written to it."""
    uncached: int | None
    """Input tokens that were neither read from a cache nor written to it: those at the plain price."""
    hit_ratio: float | None
    """Share of all input tokens that came from the cache, 0 to 1."""
    problem: str | None = None
    """Why the numbers do not fit the accounting that was declared, in one sentence."""


def read_tokens(input: Any, output: Any, cache_read: Any = 0, cache_creation: Any = 0) -> tuple[Tokens, str | None]:
    """The counts of an event, and what is wrong with them in one sentence, if anything is.

    An agent reports 0 and 0 when the provider told nothing: then nothing is known. A number that cannot be a count is not known.
    """
    raw = {"input": input, "output": output, "cache_read": cache_read, "cache_creation": cache_creation}
    bad = [f"{name}={value!r:.40}" for name, value in raw.items() if value is not None and not _is_count(value)]
    problem = f"No count of tokens: {', '.join(bad)}." if bad else None
    tokens = Tokens(**{name: int(value) if _is_count(value) else None for name, value in raw.items()})
    return (Tokens() if not tokens.input and not tokens.output else tokens), problem


def cached_input(tokens: Tokens, declared: Accounting | None = None) -> CachedInput:
    """All input tokens, and those that no cache served.

    The numbers decide only where they prove it: cached tokens that are more than the input cannot be in it. Without cached tokens
    both readings agree. Otherwise only a declared accounting helps.

    Args:
        tokens: The counts as reported.
        declared: What the user knows of the provider; "unknown" is the same as None.
    """
    cached = _cached(tokens)
    if tokens.input is None:
        return CachedInput(declared or "unknown", None, None, None)
    if declared == "inclusive" and cached is not None and cached > tokens.input:
        why = f"{cached} cached tokens cannot be part of {tokens.input} input tokens: the accounting is not inclusive."
        return CachedInput("inclusive", None, None, None, why)
    accounting = declared if declared in ("inclusive", "exclusive") else _proven(tokens.input, cached)
    total, uncached = _read(tokens.input, cached, accounting)
    ratio = tokens.cache_read / total if total and tokens.cache_read is not None else None
    return CachedInput(accounting, total, uncached, ratio)


def _read(reported: int, cached: int | None, accounting: Accounting) -> tuple[int | None, int | None]:
    """All input tokens and the uncached ones."""
    if cached == 0:
        return reported, reported
    if accounting == "inclusive":
        return reported, None if cached is None else reported - cached
    if accounting == "exclusive":
        return None if cached is None else reported + cached, reported
    return None, None


def _proven(reported: int, cached: int | None) -> Accounting:
    return "exclusive" if cached is not None and cached > reported else "unknown"


def _cached(tokens: Tokens) -> int | None:
    if tokens.cache_read is None or tokens.cache_creation is None:
        return None
    return tokens.cache_read + tokens.cache_creation


def _is_count(value: Any) -> bool:
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return whole and not isinstance(value, bool) and 0 <= value < _MAX
