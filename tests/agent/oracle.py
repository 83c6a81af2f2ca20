"""What must happen to a call: written from the rules of permission alone, without looking at how the agent does it."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field

READ_ONLY = {"look", "peek", "read_out"}
EXTERNAL = {"read_out", "ask_out"}
RAISING = {"fail"}
TOOLS = {"look", "peek", "read_out", "ask_out", "wait", "press", "count", "rows", "fail", "deaf", "edit"}
HELPER = "helper"
"""An agent as a tool: what it does is watched by an oracle of its own."""
WORKING_DIR = "/w"
SENSITIVE = "/w/.git/config"


@dataclass
class Call:
    """A call as the model wrote it, and what became of it."""

    name: str
    input: str = ""
    asked: bool = False
    submitted: bool = False
    confirmed: bool | None = None
    """None while nobody has decided."""
    run_name: str = ""
    run_input: str | None = None
    """What was approved; None is what the model wrote."""
    note: str | None = None
    said: str = ""
    """Text of its result."""
    result_state: str | None = None
    """Of the result that came from outside."""
    state: str | None = None
    """Of its result, once it has one."""
    over: bool = False
    """Whether its reply has ended."""

    @property
    def waits(self):
        outside = self.submitted and self.result_state is None
        return self.state is None and (outside or (self.asked and self.confirmed is None))

    @property
    def final(self):
        """Name and input that run."""
        return (self.name, self.input) if self.run_input is None else (self.run_name, self.run_input)

    @property
    def edited(self):
        return self.final != (self.name, self.input)


def numbers(text):
    return {int(found) for found in re.findall(r'"n": ?"?(\d+)', text)}


def clean(name, text):
    """The arguments if they are exactly what the tool takes; None if there is any doubt."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    fields = {"n": int, "path": str} if name == "edit" else {"n": int}
    fits = isinstance(value, dict) and {key: type(item) for key, item in value.items()} == fields
    return value if fits and name in TOOLS else None


@dataclass
class Oracle:
    """Watches one conversation; what is wrong is said in `complaints`."""

    mode: str
    rules: list
    max_iters: int
    rounds: int = 0
    calls: dict = field(default_factory=dict)
    runs: Counter = field(default_factory=Counter)
    complaints: list = field(default_factory=list)
    seen: Counter = field(default_factory=Counter)

    # -- the rules, as in the section on permissions: deny, ask, read-only, the tool itself, allow, mode ---------------------

    def matches(self, behavior, name, arguments):
        return any(
            rule.behavior == behavior
            and rule.tool_name == name
            and (
                not rule.rule_content
                or (name == "edit" and arguments["path"].startswith(rule.rule_content.removesuffix("**")))
            )
            for rule in self.rules
        )

    def verdict(self, name, arguments):
        said = self._attended(name, arguments)
        return "deny" if said == "ask" and self.mode == "dont_ask" else said

    def _attended(self, name, arguments):
        if self.matches("deny", name, arguments):
            return "deny"
        if self.matches("ask", name, arguments):
            return "ask"
        if name in READ_ONLY:
            return "allow"
        if self.mode == "explore":
            return "deny"
        if name == "edit" and arguments["path"] == SENSITIVE and self.mode != "bypass":
            return "ask"
        inside = name == "edit" and arguments["path"].startswith(f"{WORKING_DIR}/")
        if inside and self.mode in ("accept_edits", "dont_ask"):
            return "allow"
        if self.matches("allow", name, arguments) or self.mode == "bypass":
            return "allow"
        return "ask"

    # -- what happens --------------------------------------------------------------------------------------------------------

    def complain(self, text):
        self.complaints.append(text)

    def ran(self, name, **arguments):
        """A tool begins to run; called from inside it."""
        self.runs[arguments["n"]] += 1
        if self.runs[arguments["n"]] > 1:
            self.complain(f"{name} {arguments} ran twice")
        if not any(self._may_run(call, name, arguments) for call in list(self.calls.values())):
            self.complain(f"{name} {arguments} ran without permission")

    def _may_run(self, call, name, arguments):
        run_name, run_input = call.final
        if call.over or name != run_name or arguments["n"] not in numbers(run_input):
            return False
        if call.confirmed:
            return not (call.edited and self.matches("deny", name, arguments))
        return call.confirmed is None and not call.asked and self.verdict(name, arguments) == "allow"

    def saw(self, event):
        """An event came out of the agent."""
        handler = getattr(self, f"_{event.type.lower()}", None)
        if handler is not None:
            handler(event)

    def _reply_start(self, event):
        self.calls, self.rounds = {}, 0

    def _model_call_start(self, event):
        self.rounds += 1

    def _tool_call_start(self, event):
        if event.tool_call_id in self.calls:
            self.complain(f"The id {event.tool_call_id} stands for two calls")
        self.calls[event.tool_call_id] = Call(event.tool_call_name)

    def _tool_call_delta(self, event):
        self.calls[event.tool_call_id].input += event.delta

    def _require_user_confirm(self, event):
        for block in event.tool_calls:
            call = self.calls[block.id]
            arguments = clean(call.name, call.input)
            if call.asked or call.state is not None:
                self.complain(f"{block.id} was asked again")
            if arguments is not None and self.verdict(call.name, arguments) != "ask":
                self.complain(f"{block.id} ({call.name}) was asked without need")
            call.asked = True
            self.seen["asked"] += 1

    def _require_external_execution(self, event):
        for block in event.tool_calls:
            call = self.calls[block.id]
            name, text = call.final
            arguments = clean(name, text)
            if arguments is not None and not self._may_run(call, name, arguments):
                self.complain(f"{block.id} ({name}) was given outside without permission")
            if name not in EXTERNAL or call.submitted:
                self.complain(f"{block.id} ({name}) was given outside wrongly")
            call.submitted = True
            self.seen["submitted"] += 1
            self.seen["confirmed, then submitted"] += bool(call.confirmed)

    def _tool_result_start(self, event):
        if event.tool_call_name not in (self.calls[event.tool_call_id].final[0], self.calls[event.tool_call_id].name):
            self.complain(f"{event.tool_call_id} runs as {event.tool_call_name}")

    def _tool_result_text_delta(self, event):
        self.calls[event.tool_call_id].said += event.delta

    def _tool_result_end(self, event):
        call = self.calls[event.tool_call_id]
        if str(event.state) == "denied" and (call.note or "") not in call.said:
            self.complain(f"the note of {event.tool_call_id} is lost: {call.said}")
        call.state = str(event.state)
        name, text = call.final
        runs = sum(self.runs[n] for n in numbers(text))
        arguments = clean(name, text)
        wanted = self._wanted(call, name, arguments, runs)
        if call.state != "interrupted" and wanted is not None and (call.state, runs) not in wanted:
            self.complain(f"{event.tool_call_id} ({name}) is {call.state} after {runs} runs, expected {wanted}")
        self.seen[f"result {call.state}"] += 1

    def _wanted(self, call, name, arguments, runs):
        """Final states and numbers of runs that may be; None if anything may."""
        if call.confirmed is False:
            return [("denied", 0)]
        if call.submitted:
            return [(call.result_state, 0)]
        if name not in TOOLS | {HELPER}:
            return [("error", 0)]
        if arguments is None:
            return None
        forbidden = call.edited and self.matches("deny", name, arguments)
        if forbidden or (call.confirmed is None and self.verdict(name, arguments) == "deny"):
            return [("denied", 0)]
        return [("error", 1)] if name in RAISING else [("success", 1)]

    def _reply_end(self, event):
        reason = str(event.finished_reason)
        if self.rounds > self.max_iters + 1 or (reason == "exceed_max_iters" and self.rounds <= self.max_iters):
            self.complain(f"{reason} after {self.rounds} rounds")
        self.seen[f"reply {reason}"] += 1
        if reason in ("completed", "exceed_max_iters"):
            for id, call in self.calls.items():
                if call.state is None or (call.state == "interrupted" and call.result_state != "interrupted"):
                    self.complain(f"{id} is {call.state} in a reply that ended {reason}")
        for call in self.calls.values():
            call.over = True

    # -- what people do ------------------------------------------------------------------------------------------------------

    @property
    def waiting(self):
        """Ids of the calls that wait for a person or for a result."""
        return [id for id, call in self.calls.items() if call.waits]

    def decided(self, id, confirmed, name=None, input=None, rules=(), note=None):
        call = self.calls[id]
        call.confirmed, call.note = confirmed, note
        if confirmed:
            call.run_name, call.run_input = name or call.name, call.input if input is None else input
            self.rules += [rule for rule in rules if rule not in self.rules]
        self.seen["approved" if confirmed else "denied"] += 1
        self.seen["edited"] += confirmed and call.edited
        self.seen["approved with rule"] += bool(confirmed and rules)
        self.seen["denied with note"] += bool(note)

    def answered(self, id, state):
        self.calls[id].result_state = state
        self.seen[f"answered {state}"] += 1
