"""Agents that are wrong in one thing: each is a name and what replaces what."""

from functools import wraps

from nb_agentscope.agent import _act, _call, _chunks, _conversation, _core, _next_action
from nb_agentscope.message import ToolCallState, ToolResultState
from nb_agentscope.permission import Decision, PermissionBehavior
from nb_agentscope.stream import append_event


def _changed(function, change):
    """The function with its result changed."""

    @wraps(function)
    def changed(*args, **kwargs):
        return change(function(*args, **kwargs))

    return changed


def nobody_is_asked(rules, mode, tool, input, **more):
    return Decision(PermissionBehavior.ALLOW, "", "mutant")


_decide = _call.decide


def deny_rules_are_questions(rules, mode, tool, input, **more):
    decision = _decide(rules, mode, tool, input, **more)
    denied = decision.behavior == PermissionBehavior.DENY
    return Decision(PermissionBehavior.ASK, "", "mutant") if denied else decision


def read_only_tools_ask(rules, mode, tool, input, **more):
    decision = _decide(rules, mode, tool, input, **more)
    return Decision(PermissionBehavior.ASK, "", "mutant") if decision.reason == "read-only call" else decision


def rules_of_the_start_only(rules, mode, tool, input, **more):
    return _decide([rule for rule in rules if rule.source != "suggested"], mode, tool, input, **more)


def denied_calls_run(scope, call):
    call.state = ToolCallState.ALLOWED
    return []


def denials_without_notes(scope, call):
    return _call.result_events(scope, call.id, call.name, "The user denied this call.", ToolResultState.DENIED)


def suggested_rules_are_kept(scope, event):
    _apply(scope, event)
    for result in event.confirm_results:
        scope.state.rules += [rule for rule in result.tool_call.suggested_rules if rule not in scope.state.rules]


def accepted_rules_are_lost(scope, event):
    before = list(scope.state.rules)
    _apply(scope, event)
    scope.state.rules[:] = before


def edits_are_lost(scope, event):
    _apply(scope, event)
    scope.state.ran.clear()


def decisions_are_not_folded(scope, event):
    _apply(scope, event.model_copy(update={"confirm_results": event.confirm_results[:1]}))


def denials_count_as_approvals(scope, event):
    yes = [result.model_copy(update={"confirmed": True}) for result in event.confirm_results]
    _apply(scope, event.model_copy(update={"confirm_results": yes}))


_apply = _conversation.apply_decisions


def approved_calls_are_forgotten(msg):
    """After an approval the call is not answered, so it is found again."""
    return [call for call in _unanswered(msg) if call.state != ToolCallState.ALLOWED]


def finished_results_are_not_seen(msg):
    return [block for block in msg.content if block.type == "tool_call"]


_unanswered = _next_action.unanswered


def waiting_calls_run(msg, reply, max_iters):
    action = _next(msg, reply, max_iters)
    calls = tuple(_unanswered(msg))
    return _next_action.Act(calls) if calls and isinstance(action, _next_action.Act) else action


_next = _conversation.next_action


def rounds_are_not_counted(msg, reply, max_iters):
    return _next(msg, reply, max_iters + 1)


def errors_end_nothing(self, reason, error=None):
    return iter(()) if error is not None else _closing(self, reason, error)


def interrupts_end_nothing(self, reason, error=None):
    return iter(()) if error is None else _closing(self, reason, error)


_closing = _conversation.Conversation.closing


def two_ends(self, reason, error=None):
    events = list(_closing(self, reason, error))
    return iter([*events, *(event.model_copy(update={"id": "again"}) for event in events[-1:])])


def some_events_are_not_folded(self, event):
    if event.type != "TOOL_RESULT_TEXT_DELTA":
        append_event(self._scope.msg, event)
    return event


def tools_run_twice(scope, call_id, tool, arguments):
    async def events():
        if not tool.external:
            async for _ in _call_output(scope, call_id, tool, arguments):
                pass
        async for event in _call_output(scope, call_id, tool, arguments):
            yield event

    return events()


_call_output = _call.output_events


def answers_of_any_reply(state, event, toolkit):
    _check(state, event.model_copy(update={"reply_id": state.reply.reply_id}) if state.reply else event, toolkit)


def answers_unchecked(state, event, toolkit):
    return


_check = _core.check_answer


def ids_are_kept(self, id):
    return id


MUTANTS = {
    "nobody is asked": (_call, "decide", nobody_is_asked),
    "deny rules are questions": (_call, "decide", deny_rules_are_questions),
    "read-only tools ask": (_call, "decide", read_only_tools_ask),
    "accepted rules do not count": (_call, "decide", rules_of_the_start_only),
    "edits are not checked": (_call, "forbids", lambda rules, tool, arguments: None),
    "denied calls run": (_act, "denied", denied_calls_run),
    "notes are lost": (_act, "denied", denials_without_notes),
    "suggested rules are kept": (_conversation, "apply_decisions", suggested_rules_are_kept),
    "accepted rules are lost": (_conversation, "apply_decisions", accepted_rules_are_lost),
    "edits are lost": (_conversation, "apply_decisions", edits_are_lost),
    "only one decision of an event counts": (_conversation, "apply_decisions", decisions_are_not_folded),
    "denials are approvals": (_conversation, "apply_decisions", denials_count_as_approvals),
    "approved calls are forgotten": (_next_action, "unanswered", approved_calls_are_forgotten),
    "waiting calls are asked again": (_conversation, "next_action", waiting_calls_run),
    "one round too many": (_conversation, "next_action", rounds_are_not_counted),
    "no end after an error": (_conversation.Conversation, "closing", errors_end_nothing),
    "no end after a stop": (_conversation.Conversation, "closing", interrupts_end_nothing),
    "two ends": (_conversation.Conversation, "closing", two_ends),
    "deltas are not folded": (_conversation.Conversation, "_taken", some_events_are_not_folded),
    "tools run twice": (_call, "output_events", tools_run_twice),
    "stale answers count": (_core, "check_answer", answers_of_any_reply),
    "any answer counts": (_core, "check_answer", answers_unchecked),
    "ids of calls are kept": (_chunks.ChunkEvents, "_free_id", ids_are_kept),
}
"""By name: where, what, and what stands there instead."""
