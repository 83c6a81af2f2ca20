"""Generated streams fold to what the real AgentScope makes of them."""

import json
import logging
import warnings

import pytest
from hypothesis import HealthCheck, given, settings

from nb_agentscope.stream import fold_all, lane_of
from tests.recorded import differences
from tests.strategies import any_streams
from tests.stream.checks import quiet

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    agentscope = pytest.importorskip("agentscope")
    from agentscope import event as their_event
    from agentscope import message as their_message


def main_lane(events):
    """What AgentScope would emit itself: it knows no lanes, and would fold a sub-agent's events into the newest message."""
    replies = set()
    for event in events:
        if lane_of(event, replies) is not None:
            continue
        if event.type == "REPLY_START":
            replies.add(event.reply_id)
        yield event


def their_fold(events):
    msgs = {}
    for event in main_lane(events):
        theirs = getattr(their_event, type(event).__name__).model_validate_json(event.model_dump_json())
        if event.type == "REPLY_START" and event.reply_id not in msgs:
            msgs[event.reply_id] = their_message.AssistantMsg(name=event.name, content=[], id=event.reply_id)
        elif msgs:
            list(msgs.values())[-1].append_event(theirs)
    return [json.loads(msg.model_dump_json()) for msg in msgs.values()]


def without_clock(msgs):
    """What the reader's clock and id factory make is different; all else, key order included, is not."""
    for msg in msgs:
        msg["created_at"] = ""
        for block in msg["content"]:
            block["created_at"] = ""
            if block["type"] == "hint":
                block["finished_at"] = ""
            for part in block["output"] if isinstance(block.get("output"), list) else []:
                part["created_at"] = ""
                part["id"] = "" if part["type"] == "text" else part["id"]
    return msgs


@pytest.fixture(autouse=True)
def _their_warnings():
    logging.getLogger("as").setLevel(logging.CRITICAL)


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(any_streams())
def test_same_messages(events):
    with quiet(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = [json.loads(msg.model_dump_json()) for msg in fold_all(events)]
        try:
            theirs = their_fold(events)
        except (ValueError, AttributeError):
            return  # data that AgentScope raises at, where we warn
    assert differences(without_clock(theirs), without_clock(ours)) == []
