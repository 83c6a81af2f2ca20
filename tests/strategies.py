"""Streams of events: valid ones as an agent would emit them, and broken ones.

One generator serves both uses: it takes a `random.Random`, which is a seeded one for fixed samples
(`valid_stream(Random(7))`) and one that hypothesis controls and shrinks for properties (`valid_streams()`).
"""

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

from hypothesis import strategies as st

from nb_agentscope.event import AgentEvent
from tests.breaking import break_stream
from tests.emitting import Emitter


def valid_stream(random: Random) -> list[AgentEvent]:
    """One to three replies in the order an agent emits them; the last may be parked."""
    emitter = Emitter(random)
    for number in range(random.choice([1, 1, 2, 3])):
        emitter.reply(number, last=False)
    if random.random() < 0.3:
        emitter.reply(9, last=True)
    return emitter.events


def broken_stream(random: Random) -> list[AgentEvent]:
    """A valid stream after one to six accidents: events lost, doubled, late, about unknown things, with bad data."""
    events = valid_stream(random)
    for _ in range(random.randint(1, 6)):
        events = break_stream(random, events)
    return events


def _strategy(make: Callable[[Random], list[AgentEvent]]) -> st.SearchStrategy[list[AgentEvent]]:
    return st.randoms(use_true_random=False).map(make)


def valid_streams() -> st.SearchStrategy[list[AgentEvent]]:
    return _strategy(valid_stream)


def broken_streams() -> st.SearchStrategy[list[AgentEvent]]:
    return _strategy(broken_stream)


def any_streams() -> st.SearchStrategy[list[AgentEvent]]:
    return st.one_of(valid_streams(), broken_streams())


def samples(count: int, make: Callable[[Random], list[AgentEvent]] = valid_stream) -> list[list[AgentEvent]]:
    """The same streams every time."""
    return [make(Random(seed)) for seed in range(count)]


def counts(streams: Iterable[list[AgentEvent]]) -> Counter[str]:
    """How often each event type occurs."""
    return Counter(str(event.type) for stream in streams for event in stream)
