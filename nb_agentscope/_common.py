"""What every room may use: the factories that make new ids and time stamps, checks of numbers, words for what is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:
    from pydantic import ValidationError


def _uuid_hex() -> str:
    return uuid4().hex


def _utc_now() -> str:
    return datetime.now(UTC).isoformat()


_id_factory: Callable[[], str] = _uuid_hex
_timestamp_factory: Callable[[], str] = _utc_now


def new_id() -> str:
    """A new id from the current factory; 32 hex digits unless `set_id_factory` says otherwise."""
    return _id_factory()


def id_series() -> Callable[[], str]:
    """A maker of ids for one writer of very many: as unique as those of `new_id`, at a tenth of the cost.

    They share 96 random bits and count up from there, unless `set_id_factory` says otherwise.
    """
    if _id_factory is not _uuid_hex:
        return _id_factory
    prefix, numbers = _uuid_hex()[:24], count()
    return lambda: f"{prefix}{next(numbers):08x}"


def now() -> str:
    """The current time as ISO 8601 text from the current factory; aware UTC by default."""
    return _timestamp_factory()


def set_id_factory(factory: Callable[[], str] | None) -> None:
    """Replace the maker of ids for every new message, block and event.

    Args:
        factory: A callable without arguments that returns a str; None restores the default (uuid4 hex).

    Raises:
        TypeError: `factory` is not callable.
    """
    global _id_factory  # noqa: PLW0603 - one factory per process is the contract users know
    _id_factory = _callable(factory, "set_id_factory") if factory is not None else _uuid_hex


def set_timestamp_factory(factory: Callable[[], str] | None) -> None:
    """Replace the maker of time stamps for every new message, block and event.

    Args:
        factory: A callable without arguments that returns an ISO 8601 str; None restores the default (aware UTC).

    Raises:
        TypeError: `factory` is not callable.
    """
    global _timestamp_factory  # noqa: PLW0603 - as above
    _timestamp_factory = _callable(factory, "set_timestamp_factory") if factory is not None else _utc_now


def _callable(factory: Callable[[], str], name: str) -> Callable[[], str]:
    if not callable(factory):
        raise TypeError(f"{name} needs a callable without arguments, got {factory!r}.")
    return factory


def first_problem(error: ValidationError, *, skip: int = 0) -> str:
    """The first of the errors as part of a sentence: `place: message (got value)`, without a full stop.

    Args:
        error: What pydantic raised.
        skip: Leading parts of the place to leave out, such as the name of a union's member.
    """
    errors = error.errors(include_url=False)
    # A union reports every member it tried: those whose literal `type` is another are not the one that was meant.
    others = {e["loc"][:-1] for e in errors if e["type"] == "literal_error" and e["loc"][-1:] == ("type",)}
    meant = [e for e in errors if not any(e["loc"][: len(other)] == other for other in others)]
    first = (meant or errors)[0]
    place = ".".join(map(str, first["loc"][skip:]))
    if (
        first["type"] == "value_error"
    ):  # a check of ours, which speaks for itself; pydantic puts "Value error, " before it
        problem = str(first["ctx"]["error"])
    else:
        problem = f"{first['msg']} (got {short_repr(first['input'])})"
    return f"{place}: {problem}" if place else problem


def short_repr(value: object, limit: int = 120) -> str:
    """The value in at most about `limit` characters."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - it is nested too deeply, or an object of the caller's cannot say what it is
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def check_count(what: str, number: object, least: int) -> None:
    """A whole number that is large enough.

    Raises:
        TypeError: It is no whole number.
        ValueError: It is too small.
    """
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{what} is a whole number, got {short_repr(number)}.")
    if number < least:
        raise ValueError(f"{what} must be at least {least}, got {number}.")


def check_wait(what: str, seconds: object) -> None:
    """A time to wait.

    Raises:
        TypeError: It is no number.
        ValueError: It is negative, or not finite.
    """
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        raise TypeError(f"{what} is a number of seconds, got {short_repr(seconds)}.")
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"{what} must be a finite number of seconds, not negative, got {seconds}.")


def encodable(text: str) -> str:
    """The text as UTF-8 can carry it: a pair of surrogates joined, a lone one replaced by U+FFFD."""
    if text.isascii():  # most text, and ten times faster
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
