"""Laws of an agent's streams, as functions that raise."""

from nb_agentscope.event import parse_event
from nb_agentscope.message import Msg
from nb_agentscope.stream import fold, verify


def ends(events):
    return [event for event in events if event.type == "REPLY_END"]


def check_ended(events):
    """Laws 2, 5 and 7 of a whole stream."""
    assert verify(events, complete=True) == []
    assert len(ends(events)) == 1
    assert [parse_event(event.model_dump_json()) for event in events] == events
    assert [parse_event(event.model_dump()) for event in events] == events
    msg = fold(events)
    assert Msg.model_validate_json(msg.model_dump_json()) == msg
    for place, event in enumerate(events):
        if event.type.endswith(("_START", "_END")):
            rest = events[:place] + events[place + 1 :]
            assert verify(rest, complete=True), f"nobody misses {event.type} at {place}"
