"""A saved log is a stream that the real AgentScope reads."""

import json
import warnings

import pytest
from pydantic import TypeAdapter

from nb_agentscope.message import UserMsg
from nb_agentscope.stream import EventLog, header_event, input_event, lane_of
from tests import recorded
from tests.strategies import samples

pytest.importorskip("agentscope")


@pytest.fixture(scope="module")
def theirs():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from agentscope import event, message
    return event, message


def log_of(events):
    log = EventLog()
    log.append(header_event("Friday", "scripted", ["rm"]))
    log.append(input_event(UserMsg("user", "hi")))
    for event in events:
        log.append(event, by="user" if event.type == "USER_CONFIRM_RESULT" else None)
    return log


def folded_by_agentscope(path, theirs):
    event_module, message_module = theirs
    adapter = TypeAdapter(event_module.AgentEvent)
    messages = {}
    for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n"):
        value = json.loads(line)
        assert "recorded" in value
        event = adapter.validate_python(value)
        assert event.type == value["type"]
        if lane_of(event, messages) is not None:
            continue  # of a sub-agent: AgentScope reads it, but knows no lanes to fold it in
        if event.type == "REPLY_START" and event.reply_id not in messages:
            messages[event.reply_id] = message_module.AssistantMsg(name=event.name, content=[], id=event.reply_id)
        elif messages:
            next(reversed(messages.values())).append_event(event)
    return [json.loads(message.model_dump_json()) for message in messages.values()]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("scenario", recorded.SCENARIOS)
def test_recorded_streams_through_our_log_fold_the_same_there(scenario, theirs, tmp_path):
    log_of(recorded.events(scenario)).save(tmp_path / "a.jsonl")
    assert recorded.differences(recorded.messages(scenario), folded_by_agentscope(tmp_path / "a.jsonl", theirs)) == []


def without_reader(value):
    """What AgentScope takes from the reader's clock and ids is left out."""
    if isinstance(value, list):
        return [without_reader(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: without_reader(item) for key, item in value.items() if key != "created_at"}
    if value.get("type") == "hint":
        kept.pop("finished_at")
    if value.get("type") == "tool_result":
        for item in kept["output"] if isinstance(kept["output"], list) else []:
            if item["type"] == "text":
                item.pop("id")
    return kept


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("events", samples(25))
def test_generated_streams_through_our_log_fold_the_same_there(events, theirs, tmp_path):
    log = log_of(events)
    log.save(tmp_path / "a.jsonl")
    ours = [json.loads(message.model_dump_json()) for message in log.msgs]
    assert without_reader(folded_by_agentscope(tmp_path / "a.jsonl", theirs)) == without_reader(ours)
