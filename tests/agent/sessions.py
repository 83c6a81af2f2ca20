"""Two ways to have a reply: reading `reply_stream` oneself, and a Run."""

from nb_agentscope.event import ConfirmResult, ExternalExecutionResultEvent, UserConfirmResultEvent, UserInterruptEvent
from nb_agentscope.message import ToolResultBlock
from nb_agentscope.run import DecisionRefused
from nb_agentscope.stream import NOTE_KEY
from tests.agent.world import ScriptedError


def check_refused(world, inputs):
    """The agent takes nothing of it and says why, at once: nothing else can happen meanwhile."""
    try:
        world.agent.reply_stream(inputs).__anext__().send(None)
    except (ValueError, RuntimeError):
        return
    except StopIteration as stop:
        raise AssertionError(f"{inputs} was taken, and gave {stop.value}") from stop
    raise AssertionError(f"{inputs} was taken")


class StreamSession:
    """Reads the stream in a task and gives client events itself."""

    def __init__(self, world, inputs="go"):
        self.world = world
        self.events = []
        self.reply_id = None
        self.error = None
        self.stopped = self.left = self.leaving = False
        self._give(inputs)
        self.reply_id = world.agent.state.reply.reply_id

    @property
    def status(self):
        if not self._task.done():
            return "running"
        return "waiting" if self.world.agent.state.reply is not None else "finished"

    @property
    def in_step(self):
        """Whether what was given has been taken."""
        return True

    @property
    def decidable(self):
        return self.world.oracle.waiting if self.status == "waiting" else []

    def decide(self, several):
        """Decisions (id, yes or no, approved name and input, rules, note) in one event."""
        results, note = [], None
        for id, confirmed, name, text, rules, said in several:
            block = self._block(id).model_copy(update={"name": name, "input": text})
            results.append(ConfirmResult(confirmed=confirmed, tool_call=block, rules=rules or None))
            note = note or said
            self.world.oracle.decided(id, confirmed, name, text, rules, said)
        metadata = {NOTE_KEY: note} if note else {}
        self._give(UserConfirmResultEvent(reply_id=self.reply_id, confirm_results=results, metadata=metadata))

    def answer(self, id, state):
        self.world.oracle.answered(id, state)
        block = ToolResultBlock(id=id, name=self._block(id).name, output=f"from outside: {id}", state=state)
        self._give(ExternalExecutionResultEvent(reply_id=self.reply_id, execution_results=[block]))

    def stop(self, way):
        self.stopped = True
        if self.status == "waiting":
            self._give(UserInterruptEvent(reply_id=self.reply_id))
        elif way == "leave":
            self.leaving = True
        else:
            self._task.cancel()
        self.world.loop.advance(0)

    def _block(self, id):
        return next(b for b in self.world.agent.state.context[-1].content if b.type == "tool_call" and b.id == id)

    def _give(self, inputs):
        if not isinstance(inputs, str):
            self.events.append(inputs)
        self._task = self.world.loop.create_task(self._read(inputs))
        self.world.loop.advance(0)

    async def _read(self, inputs):
        stream = self.world.agent.reply_stream(inputs)
        try:
            async for event in stream:
                self.events.append(event)
                self.world.oracle.saw(event)
                if self.leaving:
                    self.left = event.type != "REPLY_END"
                    break
        except (ScriptedError, ValueError) as error:
            self.error = error
        finally:
            await stream.aclose()
        if self.left:
            for call in self.world.oracle.calls.values():
                call.over = True


class RunSession:
    """Has a Run, and decides by its methods."""

    def __init__(self, world, inputs="go"):
        self.world = world
        self.left = self.stopped = False
        self.run = world.loop.do(lambda: self._start(inputs))
        world.loop.advance(0)

    def _start(self, inputs):
        run = self.world.agent.start(inputs, on_no_frontend="wait")
        run.subscribe(self._see)
        return run

    def _see(self, kind, record, events):
        if kind == "record" and record.dir == "out":
            self.world.oracle.saw(record.event)

    @property
    def events(self):
        return list(self.run.log)

    @property
    def reply_id(self):
        return self.run.msg.id

    @property
    def error(self):
        return self.run.error

    @property
    def status(self):
        return self.run.status

    @property
    def in_step(self):
        return self.status != "running"

    @property
    def decidable(self):
        return [] if self.stopped else self.world.oracle.waiting

    def decide(self, several):
        for decision in several:
            self.world.loop.do(lambda decision=decision: self._decide(*decision))

    def _decide(self, id, confirmed, name, text, rules, note):
        oracle = self.world.oracle
        call = next(call for call in self.run.pending if call.tool_call_id == id)
        if not confirmed:
            self.run.deny(id, note=note)
            oracle.decided(id, False, note=note)
            return
        asked = oracle.calls[id]
        edited = None if text == asked.input else text
        try:
            self.run.approve(id, input=edited, rules=rules)
        except DecisionRefused:
            assert call in self.run.pending
            oracle.seen["approval refused"] += 1
        else:
            oracle.decided(id, True, asked.name, call.input if edited is None else edited, rules)

    def answer(self, id, state):
        def submit():
            self.run.submit_result(id, f"from outside: {id}", state=state)
            self.world.oracle.answered(id, state)

        self.world.loop.do(submit)

    def stop(self, way):
        self.stopped = True
        self.world.loop.do(self.run.stop)
        self.world.loop.advance(0)
