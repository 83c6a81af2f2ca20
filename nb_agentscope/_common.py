"""What every room may use: the factories that make new ids and time stamps."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4


def _uuid_hex() -> str:
    return uuid4().hex


def _utc_now() -> str:
    return datetime.now(UTC).isoformat()


_id_factory: Callable[[], str] = _uuid_hex
_timestamp_factory: Callable[[], str] = _utc_now


def new_id() -> str:
    """A new id from the current factory; 32 hex digits unless `set_id_factory` says otherwise."""
    return _id_factory()


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
