"""Times of a log: when something happened (UTC), and how long something took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from math import inf
from typing import Any, NamedTuple, TypeGuard
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nb_agentscope.analysis._read import OnProblem
from nb_agentscope.analysis._times import ends_in_seconds, microseconds

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_US = timedelta(microseconds=1)
_DIGITS = {3: 1000, 6: 1}
"""Microseconds of the last digit of a fraction, by its length."""
_TOLERANCE = 1e-9
_JUMP = 1.0
"""Seconds by which a monotonic clock that has gone back may differ from the wall clock."""
_MAX_MONO = 1e15
"""Seconds; what is larger is no time."""
_YEARS = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _US, (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _US
"""First and last microsecond of the years 1 to 9999."""


class Stamp(NamedTuple):
    """One moment of a log."""

    t: float | None
    """Seconds on the log's own time line; None if unknown. Only differences mean something."""
    us: int | None
    """Microseconds since 1970, UTC; None if unknown."""
    seq: int


class Clock:
    """Puts the events of one log on one time line.

    The recorder's monotonic clock decides where it is there. Each process has its own, so the first event of a process is
    placed by its wall time, and the others after it. Events without a monotonic time are placed by `recorded.at`, else by
    `created_at`.

    Args:
        tz: Zone of times that name none; None: the zone in the log's header, else UTC.
        problem: What to tell of times that are none.
    """

    def __init__(self, tz: tzinfo | None, problem: OnProblem) -> None:
        self._given = tz
        self._tz = tz
        self._problem = problem
        self._base: int | None = None
        self._base_naive = False
        self._is_blind = False  # whether the first process has no wall time, so that nothing can be placed beside it
        self._boot: object = None
        self.offset = 0.0
        """Place less monotonic time, in the process that goes on."""
        self._placed = False
        self._doubted = False  # whether the monotonic clock has gone back in this process
        self.mono = inf
        """Newest monotonic time; infinite while none has its place, or while each is checked."""
        self._naive = False  # whether the time read last names no zone, and none is known
        self._newest: int | None = None
        self._second, self._second_us = "", 0  # the newest time, up to its fraction, if it is UTC
        self._reported: set[str] = set()

    @property
    def tz_assumed(self) -> str:
        """Zone that times without one are taken to be in."""
        return str(self._tz or UTC)

    def header(self, value: object) -> None:
        """Take in a header: its zone, and whether another process goes on."""
        if not isinstance(value, Mapping):
            return
        boot = value.get("boot")
        if self._boot is not None and boot != self._boot:
            self._new_process()
        self._boot = boot
        zone = value.get("tz")
        if self._given is None and isinstance(zone, Mapping):
            self._tz = _offset_zone(zone.get("offset")) or self._tz

    def _new_process(self) -> None:
        self._placed, self._doubted, self.mono = False, False, inf  # nothing is later: the next time is looked at

    def stamp(self, seq: int, created_at: Any, recorded: Mapping[str, Any]) -> Stamp:
        """The moment of an event; call it in the order of the log."""
        at, mono = recorded.get("at"), recorded.get("mono")
        us = self.wall(at, created_at)
        return Stamp(self.t(mono, us), us, seq)

    def later(self, moment: Mapping[str, Any]) -> float | None:
        """Place of a moment after the one stamped last; the time line stays where it is."""
        mono = moment.get("mono")
        if mono is not None and is_time(mono) and self._placed:
            return float(mono + self.offset)
        newest = self._newest
        place = self._by_wall(self.wall(moment.get("at"), moment.get("created_at")))
        self._newest = newest
        return place

    def t(self, mono: Any, us: int | None) -> float | None:
        """Place on the time line, by the monotonic clock or else by the wall time, which `wall` gave just before."""
        if mono is None or not is_time(mono):
            return self._by_wall(us)
        if self._placed and (self._doubted or mono < self.mono):
            self._doubt(mono, us)
        if not self._placed:
            self._set_offset(mono, us)
        if not self._placed:
            self.mono = inf
            return None
        self.mono = inf if self._doubted else mono
        place = float(mono + self.offset)
        if self._is_blind and us is not None:
            self._base, self._base_naive, self._is_blind = us - round(place * 1e6), self._naive, False
        return place

    def _set_offset(self, mono: float, us: int | None) -> None:
        """Place this process by the wall clock; without a wall time only the first one can be placed."""
        place = self._by_wall(us)
        if place is None and self._base is None and not self._is_blind:
            place, self._is_blind = 0.0, True
        if place is not None:
            self.offset, self._placed = place - mono, True

    def _doubt(self, mono: float, us: int | None) -> None:
        """After the monotonic clock has gone back, each of its times must agree with the wall clock, or is placed by it."""
        if not self._doubted:
            self._problem(
                "clock_backwards", "The monotonic clock goes back: from here on it must agree with the wall clock."
            )
        self._doubted = True
        place = None if us is None else self._by_wall(us)
        self._placed = place is not None and abs(mono + self.offset - place) <= _JUMP

    def _by_wall(self, us: int | None) -> float | None:
        if us is None or self._is_blind:
            return None
        if self._base is None:
            self._base, self._base_naive = us, self._naive
        if self._naive != self._base_naive:
            self._once(
                "mixed_zones",
                "Some times name a zone and some do not, so that what lies between them is not known; give tz=.",
            )
            return None
        return (us - self._base) / 1e6

    def wall(self, at: Any, created_at: Any) -> int | None:
        """Microseconds since 1970 (UTC) of the time that counts."""
        return self.utc(created_at if at is None else at)

    def utc(self, text: Any) -> int | None:
        """Microseconds since 1970 (UTC) of an ISO 8601 time; None, with a problem, if it is none."""
        self._naive = False
        if type(text) is str and text[:20] == self._second and text[-6:] == "+00:00":
            digits = text[20:-6]  # only these differ from the time before, most of the time
            if len(digits) in _DIGITS and digits.isdecimal() and digits.isascii():
                self._newest = us = self._second_us + int(digits) * _DIGITS[len(digits)]
                return us
        try:
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is None:
                moment = self._in_zone(moment)
            us = (moment - _EPOCH) // _US
            self._newest = _in_calendar(us)
            self._second, self._second_us = text[:19] + ".", self._newest - moment.microsecond
            if moment.utcoffset() or not ends_in_seconds(text[:19]):
                self._second = ""
        except (ValueError, TypeError, OverflowError):
            self._problem("bad_time", f"{text!r:.60} is no ISO 8601 time.")
            return None
        return self._newest

    def follow(self, monos: list[float]) -> list[float] | None:
        """Places of monotonic times that follow one another; None if each needs a look of its own."""
        if self._is_blind or monos[0] < self.mono or sorted(monos) != monos:
            return None
        self.mono = monos[-1]
        return [mono + self.offset for mono in monos]

    def follow_wall(self, texts: list[str]) -> list[float] | None:
        """Places of wall times that follow one another; None if each needs a look of its own."""
        base = self._base
        if self._is_blind or base is None:
            return None
        made = self.utc_all(texts)
        if made is None or self._naive != self._base_naive:
            return None
        return [(us - base) / 1e6 for us in made]

    def utc_all(self, texts: Sequence[str | None]) -> list[int] | None:
        """Microseconds of the times of events that follow one another; None if each needs a look of its own."""
        made = microseconds(texts, self._whole)
        if made is not None:
            self._newest = made[-1]
        return made

    def _whole(self, text: str) -> int | None:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        self._naive = moment.tzinfo is None and self._tz is None
        if moment.tzinfo is None:
            if not (self._tz is None or isinstance(self._tz, timezone)):
                return None  # clocks may be set back, so that what came before matters
            moment = moment.replace(tzinfo=self._tz or UTC)
        us = (moment - _EPOCH) // _US
        return us if _YEARS[0] <= us < _YEARS[1] else None

    def _in_zone(self, moment: datetime) -> datetime:
        """A time that names no zone; where clocks were set back, of two possible moments the first that does not go back."""
        self._naive = self._tz is None
        moment = moment.replace(tzinfo=self._tz or UTC)
        later = moment.replace(fold=1)
        if later.utcoffset() == moment.utcoffset() or self._newest is None:
            return moment
        goes_back = (moment - _EPOCH) // _US < self._newest
        return later if goes_back and later.astimezone(UTC) > moment.astimezone(UTC) else moment

    def span(self, start: Stamp | float | None, end: Stamp | float | None, what: str, id: str = "") -> float | None:
        """Seconds from start to end; None if one is not known or, with a problem, if the clock ran backwards."""
        first = start.t if isinstance(start, Stamp) else start
        last = end.t if isinstance(end, Stamp) else end
        if first is None or last is None:
            return None
        if last < first - _TOLERANCE:
            self._problem("clock_backwards", f"{what} {id!r:.60} ends {first - last:.6f} s before it starts.")
            return None
        return max(last - first, 0.0)

    def _once(self, rule: str, message: str) -> None:
        if rule not in self._reported:
            self._reported.add(rule)
            self._problem(rule, message)


def _in_calendar(us: int) -> int:
    """The time, if it is one of the years 1 to 9999.

    Raises:
        OverflowError: It is not.
    """
    if not _YEARS[0] <= us <= _YEARS[1]:
        raise OverflowError(us)
    return us


def zone(tz: str | tzinfo | None) -> tzinfo | None:
    """The zone that a user names.

    Raises:
        ValueError: There is no zone of this name.
        TypeError: It is no zone.
    """
    if tz is not None and not isinstance(tz, str | tzinfo):
        raise TypeError(f"tz= must be a time zone or its name such as 'Europe/Berlin', got {tz!r:.60}.")
    if not isinstance(tz, str):
        return tz
    try:
        return ZoneInfo(tz)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"There is no time zone {tz!r}; give a name such as 'Europe/Berlin'.") from error


def _offset_zone(offset: object) -> tzinfo | None:
    """The zone of an offset such as `+02:00`."""
    try:
        parsed = datetime.fromisoformat(f"2000-01-01T00:00:00{offset}").utcoffset()
    except ValueError:
        return None
    return None if parsed is None else timezone(parsed)


def is_time(value: object) -> TypeGuard[int | float]:
    """Whether it is a number of seconds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -_MAX_MONO < value < _MAX_MONO
