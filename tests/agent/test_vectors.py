"""Every recorded scenario, given to our own agent: the same events in the same order, but for what is listed and argued."""

import asyncio
from functools import cache

import pytest

from nb_agentscope.event import ModelCallStartEvent, UserConfirmResultEvent
from nb_agentscope.message import Msg
from nb_agentscope.stream import Fold, fold_all, verify
from tests.agent import comparing
from tests.agent.differences import DIFFERENCES, HINTS_BESIDE_THE_STREAM
from tests.agent.driving import SYSTEM_PROMPT, drive, meta, recorded_course
from tests.agent.scenarios import BUILDERS

CHOICES = {None: "auto", "none": "none"}

pytestmark = pytest.mark.parametrize("name", sorted(BUILDERS))


@cache
def driven(name):
    return asyncio.run(asyncio.wait_for(drive(name, BUILDERS[name]()), timeout=30))  # s; else a tool waits for ever


def test_the_same_events_in_the_same_order(name):
    course = driven(name)
    found = comparing.differences(
        comparing.lines(recorded_course(name), ours=False), comparing.lines(course, ours=True)
    )
    assert found == [what for what, _ in DIFFERENCES.get(name, [])]


def test_the_same_tools_are_offered_to_the_model(name):
    course = driven(name)
    given = meta(name)["model_calls"]
    expected = [(call["tools"], CHOICES[(call["tool_choice"] or {}).get("mode")]) for call in given]
    assert [([tool.name for tool in call.tools], call.tool_choice) for call in course.model.calls] == expected


def test_the_stream_is_whole_and_folds_to_what_the_agent_remembers(name):
    course = driven(name)
    assert verify(course.events, complete=True) == []
    replies = [msg for msg in course.agent.state.context if msg.role == "assistant"]
    assert fold_all(course.events) == replies
    assert len({event.session_id for event in course.events if hasattr(event, "session_id")}) == 1


def test_the_model_sees_what_happened(name):
    """At each call: the system prompt, what was said to the agent, and the replies so far as they were streamed and edited."""
    course = driven(name)
    expected = expected_at_each_call(course)
    assert len(course.model.calls) == len(expected)
    for number, (call, facts) in enumerate(zip(course.model.calls, expected, strict=True)):
        got = [fact for msg in call.messages for fact in facts_of(msg)]
        assert got[: len(facts)] == facts
        words = HINTS_BESIDE_THE_STREAM.get((name, number), [])
        assert [word in str(fact) for word, fact in zip(words, got[len(facts) :], strict=True)] == [True] * len(words)


def expected_at_each_call(course):
    """What was said and done before each MODEL_CALL_START."""
    before = [("system", SYSTEM_PROMPT)]
    state, edited, found = Fold(), {}, []
    for item in course.items:
        if isinstance(item, list):
            before += [fact for msg in [*state.msgs, *item] for fact in facts_of(msg, edited)]
            state = Fold()
        elif not isinstance(item, BaseException):
            if isinstance(item, UserConfirmResultEvent):
                edited |= {result.tool_call.id: result.tool_call.input for result in item.confirm_results}
            if isinstance(item, ModelCallStartEvent):
                found.append(before + [fact for msg in state.msgs for fact in facts_of(msg, edited)])
            state.push(item)
    return found


def facts_of(msg: Msg, edited=None):
    """What a message says, without ids of its own and times."""
    return [_fact(msg.role, block, edited or {}) for block in msg.content]


def _fact(role, block, edited):
    match block.type:
        case "tool_call":
            return ("call", block.id, block.name, edited.get(block.id, block.input))
        case "tool_result":
            output = (
                block.output if isinstance(block.output, str) else [_fact("tool", part, {}) for part in block.output]
            )
            return ("result", block.id, str(block.state), output)
        case "hint":
            return ("hint", str(block.hint))
        case "data":
            return (role, block.source.model_dump())
        case kind:
            return (role, getattr(block, kind))
