"""What model calls cost, by the user's own price table: there are no built-in prices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from nb_agentscope.analysis._tokens import Accounting, CachedInput, Tokens

_PER = 1_000_000
_MAX = 10**12


class Price(NamedTuple):
    """Prices of a model, in USD per million tokens; None if not given."""

    input: float | None = None
    """For input tokens that no cache served."""
    output: float | None = None
    """For output tokens."""
    cache_read: float | None = None
    """For input tokens read from a cache."""
    cache_creation: float | None = None
    """For input tokens written to a cache."""
    accounting: Accounting | None = None
    """Whether this provider's input tokens include the cached ones."""


class Cost(NamedTuple):
    """Cost in USD; None where a price, a number of tokens or the accounting is not known."""

    input_cost: float | None = None
    """For input tokens, cached ones included."""
    output_cost: float | None = None
    """For output tokens."""
    total_cost: float | None = None
    """Both together."""


def read_prices(table: Mapping[str, Mapping[str, Any]] | None) -> dict[str, Price]:
    """The price table of a user, checked.

    Args:
        table: {model: {"input": …, "output": …, "cache_read": …, "cache_creation": …, "accounting": "inclusive" or "exclusive"}}
            in USD per million tokens; what is not given is not known.

    Raises:
        TypeError: The table, or the prices of a model, are no mapping.
        ValueError: A name is unknown, or a price is no number from 0.
    """
    if table is not None and not isinstance(table, Mapping):
        raise TypeError(f"prices= must be a mapping such as {{'model': {{'input': 3.0}}}}, got {table!r:.60}.")
    return {model: _price(model, entry) for model, entry in (table or {}).items()}


def cost(tokens: Tokens, cached: CachedInput, price: Price | None) -> Cost:
    """What one model call cost.

    Args:
        tokens: Its counts as reported.
        cached: Its input, as `cached_input(tokens, price.accounting)` reads it.
        price: The prices of its model; None if the table has none.
    """
    if price is None:
        return Cost()
    parts = (
        _amount(cached.uncached, price.input),
        _amount(tokens.cache_read, price.cache_read),
        _amount(tokens.cache_creation, price.cache_creation),
    )
    input_cost = _sum(*parts)
    output_cost = _amount(tokens.output, price.output)
    return Cost(input_cost, output_cost, _sum(input_cost, output_cost))


def _amount(count: int | None, price: float | None) -> float | None:
    """USD for so many tokens; no token costs nothing, whatever the price."""
    if count == 0:
        return 0.0
    return None if count is None or price is None else count * price / _PER


def _sum(*amounts: float | None) -> float | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None


def _price(model: str, entry: Mapping[str, Any]) -> Price:
    if not isinstance(entry, Mapping):
        raise TypeError(f"The prices of {model!r} must be a mapping such as {{'input': 3.0}}, got {entry!r:.60}.")
    for name, value in entry.items():
        if name not in Price._fields:
            raise ValueError(f"The prices of {model!r} have an unknown name {name!r}; use {', '.join(Price._fields)}.")
        if name == "accounting":
            _check_accounting(model, value)
        elif value is not None and not _is_price(value):
            raise ValueError(
                f"The price {name!r} of {model!r} must be USD per million tokens from 0, got {value!r:.60}."
            )
    return Price(**cast("dict[str, Any]", entry))


def _check_accounting(model: str, value: Any) -> None:
    if value not in ("inclusive", "exclusive", "unknown", None):
        raise ValueError(f"The accounting of {model!r} must be 'inclusive' or 'exclusive', got {value!r:.60}.")


def _is_price(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _MAX
