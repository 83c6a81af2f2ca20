"""What a person, or code in a person's place, may decide about a run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nb_agentscope.event import CustomEvent
from nb_agentscope.message import ToolResultState
from nb_agentscope.permission import PermissionRule
from nb_agentscope.run._arguments import check_shown, edited_input
from nb_agentscope.run._decision import Output, Rules, approval, denial, result
from nb_agentscope.run._inputs import ClientEvent
from nb_agentscope.run._pending import Answer, PendingCalls
from nb_agentscope.run._pending_call import PendingCall
from nb_agentscope.run._refused import DecisionRefused
from nb_agentscope.stream import By

Check = Callable[[PendingCall, str, Sequence[PermissionRule]], str | None]
"""Says in one sentence why a call may not run with this input and these new rules; None if it may."""


class Deciding(ABC):
    """The decisions of a `Run`, from any thread; the first one on a call wins."""

    def __init__(self, tool_schemas: Mapping[str, Mapping[str, Any]], check: Check | None = None) -> None:
        self._check = check
        self._schemas = dict(tool_schemas)
        self._pending = PendingCalls(self._schemas)

    @abstractmethod
    def _hand_on(self, event: ClientEvent, by: By) -> None:
        """Log the decision and give it to the agent, on the run's loop."""

    @abstractmethod
    def _write_down(self, event: CustomEvent) -> None:
        """Log what came from outside and is not for the agent, on the run's loop."""

    @property
    def pending(self) -> list[PendingCall]:
        """The calls that wait for a person, in the order they were asked."""
        return self._pending.open()

    def approve(
        self,
        tool_call_id: str | None = None,
        *,
        input: str | Mapping[str, Any] | None = None,
        rules: Rules | None = None,
        note: str | None = None,
        reply_id: str | None = None,
        digest: str | None = None,
        by: By = "code",
    ) -> None:
        """Let a call run.

        Args:
            tool_call_id: Which one; None means the only one pending.
            input: Other arguments: JSON text of an object, or a dict.
            rules: Permission rules that the agent takes over.
            note: Why; kept in the event's metadata.
            reply_id: The reply that the call is in; needed where an agent and a sub-agent wait with the same id.
            digest: What the decider saw; refused if it is not this call's.
            by: Who decides.

        Raises:
            DecisionRefused: One sentence why it is not taken; `.earlier` tells of a decision that came first.
        """
        call = self._pending.find(tool_call_id, digest, ["confirm"], reply_id)
        schema = self._pending.schema(call.source, call.name)
        if input is None:
            check_shown(call.name, call.input, schema)
        text = call.input if input is None else edited_input(call.name, input, schema)
        event = approval(call, self._pending.block(call), text, rules, note)
        self._check_approval(call, text, event.confirm_results[0].rules or [])
        self._take(call, "approved", event, by)

    def _take(self, call: PendingCall, decision: str, event: Answer, by: By) -> None:
        self._pending.take(call, decision, by)
        self._pending.tag(call, event)
        self._hand_on(event, by)

    def _check_approval(self, call: PendingCall, input: str, rules: Sequence[PermissionRule]) -> None:
        reason = self._check(call, input, rules) if self._check is not None else None
        if reason is not None:
            raise DecisionRefused(reason)

    def deny(
        self,
        tool_call_id: str | None = None,
        *,
        note: str | None = None,
        reply_id: str | None = None,
        digest: str | None = None,
        by: By = "code",
    ) -> None:
        """Refuse a call; one that waits for a result gets one with the state `denied`.

        Args:
            tool_call_id: Which one; None means the only one pending.
            note: Why; kept in the event's metadata, as AgentScope has no field for it.
            reply_id: The reply that the call is in; needed where an agent and a sub-agent wait with the same id.
            digest: What the decider saw; refused if it is not this call's.
            by: Who decides.

        Raises:
            DecisionRefused: One sentence why it is not taken; `.earlier` tells of a decision that came first.
        """
        call = self._pending.find(tool_call_id, digest, ["confirm", "external"], reply_id)
        if call.kind == "confirm":
            event: Answer = denial(call, self._pending.block(call), note)
        else:
            event = result(call, note or "The user denied this call.", ToolResultState.DENIED, note=note)
        self._take(call, "denied", event, by)

    def submit_result(
        self,
        tool_call_id: str | None,
        output: Output,
        *,
        state: str = "success",
        metadata: Mapping[str, Any] | None = None,
        reply_id: str | None = None,
        digest: str | None = None,
        by: By = "code",
    ) -> None:
        """Give the result of a call that someone outside runs.

        Args:
            tool_call_id: Which one; None means the only one pending.
            output: Text, or a list of text and data blocks.
            state: `success`, `error`, `denied` or `interrupted`.
            metadata: The result's own metadata.
            reply_id: The reply that the call is in; needed where an agent and a sub-agent wait with the same id.
            digest: What the decider saw; refused if it is not this call's.
            by: Who answers.

        Raises:
            DecisionRefused: One sentence why it is not taken; `.earlier` tells of a decision that came first.
        """
        call = self._pending.find(tool_call_id, digest, ["external"], reply_id)
        event = result(call, output, state, metadata)
        self._take(call, "answered", event, by)

    def mark_shown(
        self, tool_call_id: str | None = None, *, reply_id: str | None = None, digest: str | None = None
    ) -> None:
        """Log that a person can see the question about a call; only the first time counts.

        The widget's page does this for its cards. A view of your own may, too: it is `shown_at` in the table of approvals.

        Args:
            tool_call_id: Which one; None means the only one pending.
            reply_id: The reply that the call is in; needed where an agent and a sub-agent wait with the same id.
            digest: What is shown; refused if it is not this call's.

        Raises:
            DecisionRefused: Nothing waits that is meant; one sentence says why.
        """
        call = self._pending.find(tool_call_id, digest, ["confirm", "external"], reply_id)
        event = self._pending.mark_shown(call)
        if event is not None:
            self._write_down(event)
