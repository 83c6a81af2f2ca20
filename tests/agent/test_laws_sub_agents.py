"""Laws of an agent that hands tasks to another, which asks, runs and fails in a lane of its own."""

from collections import Counter
from itertools import cycle

from hypothesis import HealthCheck, Phase, example, given, seed, settings
from hypothesis import strategies as st

from nb_agentscope.event import ConfirmResult, ExternalExecutionResultEvent, UserConfirmResultEvent, UserInterruptEvent
from nb_agentscope.message import ToolResultBlock
from nb_agentscope.stream import fold, verify
from tests.agent import scripts
from tests.agent.checks import ends
from tests.agent.clock import JumpingLoop
from tests.agent.world import World

SEEN = Counter()


class Family:
    """A boss with a helper, each with its own oracle; one reply of the boss."""

    def __init__(self, boss, helper, reloads):
        self.loop = JumpingLoop()
        self.helper = World(**helper, loop=self.loop, name="helper")
        tool = self.helper.agent.as_tool(concurrent=False)
        self.boss = World(**boss, loop=self.loop, name="boss", more_tools=[tool])
        self.reloads = reloads
        self.events = []
        self.task = None

    def give(self, inputs):
        if self.reloads and self.task is not None:
            self.boss.reload()
        if not isinstance(inputs, str):
            self.events.append(inputs)
        self.task = self.loop.create_task(self._read(inputs))
        self.loop.advance(0)

    async def _read(self, inputs):
        try:
            async for event in self.boss.agent.reply_stream(inputs):
                self.events.append(event)
                (self.helper if self._is_nested(event) else self.boss).oracle.saw(event)
        except Exception as error:
            SEEN[f"raised {type(error).__name__}"] += 1

    def _is_nested(self, event):
        return "/" in str(event.metadata.get("source", ""))

    def answer_first(self, confirmed):
        """Answer the first call that waits, of whichever agent."""
        for world in (self.boss, self.helper):
            for id in world.oracle.waiting:
                self._answer(world, id, confirmed)
                return
        raise AssertionError("the reply waits for nothing")

    def _answer(self, world, id, confirmed):
        call = world.oracle.calls[id]
        asked = [e for e in self.events if e.type.startswith("REQUIRE") and e.tool_calls[0].id == id]
        request = next(e for e in reversed(asked) if self._is_nested(e) == (world is self.helper))
        SEEN[f"{'helper' if world is self.helper else 'boss'} {'external' if call.submitted else 'asks'}"] += 1
        lane = dict(request.metadata)  # a decision belongs to the lane of its question, as a Run writes it down
        if call.submitted:
            world.oracle.answered(id, "success")
            block = ToolResultBlock(id=id, name=call.final[0], output="out", state="success")
            event = ExternalExecutionResultEvent(reply_id=request.reply_id, execution_results=[block], metadata=lane)
        else:
            world.oracle.decided(id, confirmed)
            block = request.tool_calls[0].model_copy(update={"name": call.name, "input": call.input})
            result = ConfirmResult(confirmed=confirmed, tool_call=block)
            event = UserConfirmResultEvent(reply_id=request.reply_id, confirm_results=[result], metadata=lane)
        self.give(event)

    @property
    def parked(self):
        return self.task.done() and self.boss.agent.state.reply is not None

    def check(self):
        assert self.boss.oracle.complaints == self.helper.oracle.complaints == []
        assert verify(self.events) == []
        # What the boss was given for the helper stands in no lane, and is nothing to its own message.
        assert fold(self.events) == self.boss.agent.state.context[-1]
        if self.parked:
            waiting = [*self.boss.oracle.waiting, *self.helper.oracle.waiting]
            assert sorted(call.id for call in self.boss.agent.pending) == sorted(waiting)

    def check_end(self):
        self.check()
        assert verify(self.events, complete=True) == []
        per_reply = Counter(event.reply_id for event in ends(self.events))
        started = {event.reply_id for event in self.events if event.type == "REPLY_START"}
        assert per_reply == dict.fromkeys(started, 1)
        assert self.boss.agent.state.reply is None
        SEEN["helper used"] += len(started) > 1


def rounds_of_a_boss(rounds):
    """The boss's `look`s become tasks for the helper."""
    return [[("task",) if item[:2] in (("call", "look"), ("call", "press")) else item for item in r] for r in rounds]


OUTSIDE = [[("call", "read_out", "good", False), ("call", "ask_out", "good", False)]]


@seed(2)
@settings(
    max_examples=80,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(
    *(scripts.settings, scripts.settings, scripts.scripts(), scripts.scripts()),
    *(st.lists(st.booleans(), min_size=1, max_size=3), st.booleans(), st.sampled_from([None, None, 1, 2, 3, 5, 8, 13])),
)
@example({}, {}, [[]], OUTSIDE, [True], True, None)
@example({}, {}, [[]], OUTSIDE, [True], False, 13)
def check_family(boss, helper, rounds, helper_rounds, yes, reloads, stop_after):
    # Rules of the boss bind its helper, too; the oracle of each knows its own only.
    family = Family(boss | {"rules": []}, helper, reloads)
    try:
        family.boss.script([[("task",), *items] for items in rounds_of_a_boss(rounds)])
        family.helper.script(helper_rounds)
        given_answers = cycle(yes)
        family.give("go")
        for _ in range(30):
            if stop_after is None:
                family.loop.settle()
            else:
                family.loop.advance(stop_after)
            family.check()
            if stop_after is not None and not family.task.done():
                family.task.cancel()
                SEEN["stopped while running"] += 1
            elif family.parked and stop_after is not None and stop_after % 2:
                family.give(UserInterruptEvent(reply_id=fold(family.events).id))
                SEEN["stopped while parked"] += 1
            elif family.parked:
                family.answer_first(next(given_answers))
            elif family.task.done():
                break
        family.loop.settle()
        if family.parked:
            family.give(UserInterruptEvent(reply_id=fold(family.events).id))
            family.loop.settle()
        family.check_end()
    finally:
        family.loop.end()
    assert family.boss.accidents == family.helper.accidents == []


def test_with_sub_agents_the_laws_hold_in_every_lane():
    SEEN.clear()
    check_family()
    for wanted in ("helper used", "helper asks", "helper external", "boss asks", "stopped while running"):
        assert SEEN[wanted], (wanted, SEEN)
