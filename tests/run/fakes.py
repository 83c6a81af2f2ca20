"""Scripted agents: each call of `reply_stream` plays the next leg of a script."""

import asyncio

from nb_agentscope import event as ev
from nb_agentscope.message import PermissionRule, ToolCallBlock, ToolCallState
from nb_agentscope.stream import verify

REPLY = "r1"
RULE = PermissionRule(tool_name="rm", rule_content=None, behavior="allow", source="suggested")


class Agent:
    """Plays one leg per call; a leg is a list of events, exceptions (raised) and callables (awaited with the agent)."""

    name = "Friday"

    def __init__(self, *legs):
        self.legs = list(legs)
        self.received = []

    async def reply_stream(self, inputs):
        self.received.append(inputs)
        leg = self.legs.pop(0) if self.legs else []
        for item in leg:
            if isinstance(item, BaseException):
                raise item
            if callable(item):
                await item(self)
            else:
                yield item

    @property
    def answers(self):
        """What it got after the first input."""
        return self.received[1:]


def start(reply=REPLY):
    return ev.ReplyStartEvent(session_id="s", reply_id=reply, name="Friday")


def end(reply=REPLY, reason="completed"):
    return ev.ReplyEndEvent(session_id="s", reply_id=reply, finished_reason=reason)


def model(name="m"):
    return ev.ModelCallStartEvent(reply_id=REPLY, model_name=name)


def model_end():
    return ev.ModelCallEndEvent(reply_id=REPLY, input_tokens=3, output_tokens=2)


def text(*deltas, block="t", done=True):
    events = [ev.TextBlockStartEvent(reply_id=REPLY, block_id=block)]
    events += [ev.TextBlockDeltaEvent(reply_id=REPLY, block_id=block, delta=delta) for delta in deltas]
    return events + ([ev.TextBlockEndEvent(reply_id=REPLY, block_id=block, text="".join(deltas))] if done else [])


def call(id="c1", name="rm", input='{"x": "a.txt"}'):
    return [
        ev.ToolCallStartEvent(reply_id=REPLY, tool_call_id=id, tool_call_name=name),
        ev.ToolCallDeltaEvent(reply_id=REPLY, tool_call_id=id, delta=input),
        ev.ToolCallEndEvent(reply_id=REPLY, tool_call_id=id),
    ]


def block(id="c1", name="rm", input='{"x": "a.txt"}', state=ToolCallState.ASKING):
    return ToolCallBlock(id=id, name=name, input=input, state=state, suggested_rules=[RULE])


def ask(id="c1", **fields):
    return ev.RequireUserConfirmEvent(reply_id=REPLY, tool_calls=[block(id, **fields)])


def ask_outside(id="c1", name="rm", **fields):
    waiting = block(id, name, state=ToolCallState.SUBMITTED, **fields)
    return [
        ev.ToolResultStartEvent(reply_id=REPLY, tool_call_id=id, tool_call_name=name),
        ev.RequireExternalExecutionEvent(reply_id=REPLY, tool_calls=[waiting]),
    ]


def result(id="c1", text="done", state="success", name="rm", started=True):
    events = [ev.ToolResultStartEvent(reply_id=REPLY, tool_call_id=id, tool_call_name=name)] if started else []
    return [
        *events,
        ev.ToolResultTextDeltaEvent(reply_id=REPLY, tool_call_id=id, delta=text),
        ev.ToolResultEndEvent(reply_id=REPLY, tool_call_id=id, state=state),
    ]


def calls(*ids, **fields):
    """The opening of a reply whose model calls tools."""
    return [start(), model(), *[e for id in ids for e in call(id, **fields)], model_end()]


def asking(*ids, **fields):
    return [*calls(*ids, **fields), *[ask(id, **fields) for id in ids]]


def one_approval():
    """An agent that asks once, and goes on after the decision."""
    return Agent(asking("c1"), [*result("c1"), model(), *text("ok"), model_end(), end()])


async def forever(_agent):
    await asyncio.Event().wait()


def gate():
    """A step that waits until it is opened, and the event that opens it."""
    event = asyncio.Event()

    async def step(_agent):
        await event.wait()

    return step, event


async def until(condition, steps=2000):
    """Let the loop run until the condition holds; no clock is involved."""
    for _ in range(steps):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("it did not happen")


def parked(run):
    return until(lambda: run.status == "waiting")


def types(run):
    return [str(e.type) for e in run.log]


def ends(run):
    return [e for e in run.log if e.type == "REPLY_END"]


def assert_ended_well(run, reason):
    assert run.status == "finished"
    assert run.pending == []
    assert [e.finished_reason for e in ends(run)] == [reason]
    assert verify(list(run.log), complete=True) == []
    assert run.msg.finished_reason == reason
    assert all(block.finished_at for block in run.msg.content)
