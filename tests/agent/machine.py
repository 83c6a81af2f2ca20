"""The state machine: a person and a model do whatever they like, and after each step all laws hold."""

from collections import Counter

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from nb_agentscope.event import ConfirmResult, ExternalExecutionResultEvent, UserConfirmResultEvent
from nb_agentscope.message import ToolCallBlock, ToolResultBlock
from nb_agentscope.permission import PermissionRule
from nb_agentscope.stream import fold, verify
from tests.agent import scripts
from tests.agent.checks import check_ended, ends
from tests.agent.sessions import RunSession, StreamSession, check_refused
from tests.agent.world import ScriptedError, World

SEEN = Counter()
"""What all examples together have reached."""


OFTEN = {
    "idle": {"ask": 8, "reload": 1, "add_rule": 1, "revoke": 1, "answer_wrongly": 1},
    "running": {"settle": 6, "pass_time": 4, "decide": 4, "answer": 2, "stop": 2, "say_more": 1},
    "waiting": {
        "decide": 10,
        "answer": 8,
        "stop": 2,
        "reload": 3,
        "add_rule": 1,
        "revoke": 1,
        "say_more": 1,
        "answer_wrongly": 1,
        "answer_stale": 3,
    },
}
"""By status: the steps, and how often each is chosen beside the others."""


class Machine:
    """One agent, used for a while; each step is a method, what it needs is drawn."""

    def __init__(self, data, mode):
        self.data = data
        self.world = World(mode, **data.draw(scripts.settings, "settings"))
        self.session = None

    def use(self, steps):
        """So many steps, then the end."""
        try:
            for _ in range(steps):
                getattr(self, self.data.draw(st.sampled_from(self._possible()), "step"))()
                self.laws()
            self._finish()
        finally:
            self.world.loop.end()
        assert self.oracle.complaints == []
        assert self.world.accidents == []
        for name, count in self.seen.items():
            SEEN[name] += bool(count)
        SEEN["examples"] += 1

    def _possible(self):
        """What can be done now; as often as it should be done."""
        able = {
            "decide": bool(self.confirmable),
            "answer": bool(self.answerable),
            "stop": self.status != "idle" and not self.session.stopped,
            "reload": self.status == "idle" or self.alone,
            "revoke": bool(self.agent.rules),
            "say_more": self.agent.state.reply is not None,
            "answer_wrongly": self.alone,
            "answer_stale": self.alone and bool(self.confirmable),
        }
        return [name for name, times in OFTEN[self.status].items() if able.get(name, True) for _ in range(times)]

    @property
    def agent(self):
        return self.world.agent

    @property
    def oracle(self):
        return self.world.oracle

    @property
    def seen(self):
        return self.world.oracle.seen

    @property
    def status(self):
        return "idle" if self.session is None or self.session.status == "finished" else self.session.status

    # -- what people do ------------------------------------------------------------------------------------------------------

    def ask(self):
        self.world.script(self._draw(scripts.scripts()))
        by_run = self._draw(st.booleans())
        self.session = (RunSession if by_run else StreamSession)(self.world)
        self.seen["by run" if by_run else "by stream"] += 1

    def pass_time(self):
        self.world.loop.advance(self._draw(st.integers(0, 6)))

    def settle(self):
        self.world.loop.settle()
        self.seen["parked"] += self.status == "waiting"

    def decide(self):
        ids = self.confirmable
        chosen = self._draw(st.lists(st.sampled_from(ids), min_size=1, max_size=3, unique=True))
        self.seen["partial"] += len(chosen) < len(ids)
        self.session.decide([self._decision(id, self._draw(scripts.decisions)) for id in chosen])

    def answer(self):
        self.session.answer(self._draw(st.sampled_from(self.answerable)), self._draw(scripts.results))

    def stop(self):
        way = self._draw(st.sampled_from(["cancel", "cancel", "leave"]))
        kind = "by run" if isinstance(self.session, RunSession) else way
        self.seen[f"stopped {kind} while {self.doing}"] += 1
        self.session.stop(way)

    def reload(self):
        self.seen[f"reloaded {self.status}"] += 1
        self.world.reload()

    def add_rule(self):
        new = self._draw(scripts.rules)
        self.agent.add_rule(new)
        self.oracle.rules.append(new)

    def revoke(self):
        old = self._draw(st.sampled_from(self.agent.rules))
        self.agent.revoke(old)
        self.oracle.rules = [kept for kept in self.oracle.rules if kept != old]

    def say_more(self):
        """A message while a reply is open."""
        self._refused("more")

    def answer_wrongly(self):
        """An id that does not wait, or one call twice in an event."""
        id = self._draw(st.sampled_from(["c0", "c1", "c2", "ghost"]))
        what = self._draw(st.sampled_from(["confirm", "result", "twice"]))
        if what != "twice" and id in (self.confirmable if what == "confirm" else self.answerable):
            return
        block = ToolCallBlock(id=id, name="wait", input=self.world.arguments("wait"))
        confirm = ConfirmResult(confirmed=True, tool_call=block)
        result = ToolResultBlock(id=id, name="ask_out", output="late", state="success")
        reply_id = self.session.reply_id
        if what == "result":
            self._refused(ExternalExecutionResultEvent(reply_id=reply_id, execution_results=[result]))
        else:
            several = [confirm] * (2 if what == "twice" else 1)
            self._refused(UserConfirmResultEvent(reply_id=reply_id, confirm_results=several))

    def answer_stale(self):
        """A waiting call, but of another reply."""
        id = self.confirmable[0]
        block = ToolCallBlock(id=id, name="wait", input=self.world.arguments("wait"))
        confirm = ConfirmResult(confirmed=True, tool_call=block)
        self._refused(UserConfirmResultEvent(reply_id="another", confirm_results=[confirm]))

    # -- what must hold ------------------------------------------------------------------------------------------------------

    def laws(self):
        """What must hold after every step."""
        assert self.oracle.complaints == []
        if self.session is None:
            return
        events = self.session.events
        assert verify(events) == []
        assert len(ends(events)) <= 1
        if self.session.in_step and not self.session.left:
            self._check_message(events)
        if self.status == "waiting":
            assert [call.id for call in self.agent.pending] == self.oracle.waiting
            assert self.agent.rules == self.oracle.rules
        if self.status == "idle":
            self._check_end(events)

    def _check_message(self, events):
        folded = fold(events)
        assert folded == self.agent.state.context[-1]
        if isinstance(self.session, RunSession):
            assert folded == self.session.run.msg

    def _check_end(self, events):
        assert self.agent.state.reply is None
        assert self.agent.pending == []
        last = self.agent.state.context[-1]
        assert last.finished_at is not None
        if self.session.left:
            assert str(last.finished_reason) == "interrupted"
            return
        if not self.session.stopped:
            assert self.agent.rules == self.oracle.rules
        assert len(ends(events)) == 1
        failed = str(last.finished_reason) == "error"
        assert failed == isinstance(self.session.error, (ScriptedError, ValueError))
        if isinstance(self.session, RunSession):
            # decisions that were taken when it was stopped may not have reached the agent
            self.oracle.rules = self.agent.rules

    def _finish(self):
        if self.session is None:
            return
        self.world.loop.settle()
        self.laws()
        if self.status != "idle":
            self.session.stop("cancel")
            self.world.loop.settle()
            self.laws()
        if not self.session.left:
            check_ended(self.session.events)

    # -- helpers -------------------------------------------------------------------------------------------------------------

    @property
    def alone(self):
        """Whether no Run has the agent."""
        return isinstance(self.session, StreamSession)

    @property
    def confirmable(self):
        waiting = self.session.decidable if self.session is not None else []
        return [id for id in waiting if not self.oracle.calls[id].submitted]

    @property
    def answerable(self):
        waiting = self.session.decidable if self.session is not None else []
        return [id for id in waiting if self.oracle.calls[id].submitted]

    @property
    def doing(self):
        """What a stop would interrupt."""
        if self.status == "waiting":
            return "parked"
        last = next((e for e in reversed(self.session.events) if e.type != "CUSTOM"), None)
        if last is None or last.type == "REPLY_START" or last.type == "MODEL_CALL_START" or "BLOCK" in last.type:
            return "the model streams"
        return "the model calls tools" if last.type.startswith("TOOL_CALL") else "tools run"

    def _refused(self, inputs):
        """A sentence, and nothing has changed."""
        before = self.agent.state.model_dump_json()
        check_refused(self.world, inputs)
        assert self.agent.state.model_dump_json() == before
        self.seen["refused input"] += 1

    def _draw(self, strategy):
        return self.data.draw(strategy)

    def _decision(self, id, decision):
        call = self.oracle.calls[id]
        name, text, kind = call.name, call.input, decision["kind"]
        if kind == "deny":
            return id, False, name, text, [], decision.get("note")
        if kind == "rename" and self.alone:
            name = self._draw(st.sampled_from(scripts.NAMES))
        if kind in ("edit", "rename"):
            text = self.world.arguments(name, self._draw(st.sampled_from(scripts.GOOD)))
        elif kind == "spoil":
            text = "nonsense"
        given = decision.get("rule")
        asked = next(b for b in self.agent.state.context[-1].content if b.type == "tool_call" and b.id == id)
        rules = {
            None: [],
            "suggested": asked.suggested_rules[:1],
            "forbid": [PermissionRule(tool_name=name, rule_content=None, behavior="deny", source="test")],
        }.get(given if isinstance(given, str | None) else "", [given])
        return id, True, name, text, rules, None


def use(mode, examples):
    """Use that many agents with this mode; always in the same way, so that what was reached can be counted."""

    @seed(len(mode))
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(st.data(), st.integers(10, 40))
    def run(data, steps):
        Machine(data, mode).use(steps)

    run()
