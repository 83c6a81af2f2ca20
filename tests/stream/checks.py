"""Laws as functions that say what is wrong, for the law tests and for the mutants that must break one."""

import json
import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nb_agentscope.event import AgentEvent
from nb_agentscope.message import AssistantMsg, Msg
from nb_agentscope.stream import coalesce, fold_all
from nb_agentscope.stream._append import append_event
from tests import recorded
from tests.strategies import broken_stream, samples

Events = list[AgentEvent]


@contextmanager
def quiet() -> Iterator[None]:
    """Broken streams warn and are logged; here that is expected."""
    logger = logging.getLogger("nb_agentscope")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*not applied to data block", UserWarning)
            yield
    finally:
        logger.setLevel(before)


def folded(events: Events) -> list[str]:
    """The messages as JSON: a difference between two is a difference that a reader can see."""
    return [msg.model_dump_json() for msg in fold_all(events)]


def fold_of_parts(events: Events) -> bool:
    """Law 1: folding in two steps, with the messages written and read in between, is folding at once."""
    whole = folded(events)
    for cut in range(0, len(events) + 1, max(1, len(events) // 6)):
        first = [Msg.model_validate_json(text) for text in folded(events[:cut])]
        if [msg.model_dump_json() for msg in fold_all(events[cut:], into=first)] != whole:
            return False
    return True


def fold_of_coalesced(events: Events) -> bool:
    """Law 3: joining deltas does not change the messages."""
    return folded(coalesce(events)) == folded(events)


def events_stay(events: Events) -> bool:
    """A fold does not change its events."""
    before = [event.model_dump_json() for event in events]
    fold_all(events)
    return [event.model_dump_json() for event in events] == before


def final_text_decides(events: Events) -> bool:
    """Where the end of a text block brings the text, the deltas do not matter; for valid streams."""
    ends = [event for event in events if event.type == "TEXT_BLOCK_END" and event.text is not None]
    final = {(event.reply_id, event.block_id) for event in ends}
    rest = [e for e in events if e.type != "TEXT_BLOCK_DELTA" or (e.reply_id, e.block_id) not in final]
    return folded(rest) == folded(events)


LAWS: list[Callable[[Events], bool]] = [fold_of_parts, fold_of_coalesced, events_stay]
LAWS_OF_VALID_STREAMS = [*LAWS, final_text_decides]


def dump(msg: Msg) -> object:
    return json.loads(msg.model_dump_json())


def wrong_vectors() -> Iterator[str]:
    """Recorded streams that do not fold to what AgentScope made of them."""
    for scenario in recorded.SCENARIOS:
        msgs = fold_all(recorded.events(scenario))
        if recorded.differences(recorded.messages(scenario), [dump(msg) for msg in msgs]):
            yield scenario
    for stream in recorded.synthetic():
        msg = AssistantMsg(name=stream.init["name"], content=[], id=stream.init["id"])
        for event in stream.events:
            append_event(msg, event)
        if recorded.differences(stream.msg, dump(msg)):
            yield f"synthetic {stream.seed}"


def broken_laws(count: int = 80) -> Iterator[str]:
    """Laws that fail for one of the fixed samples."""
    for events in samples(count):
        yield from (law.__name__ for law in LAWS_OF_VALID_STREAMS if not law(events))
    for events in samples(count, broken_stream):
        yield from (law.__name__ for law in LAWS if not law(events))
