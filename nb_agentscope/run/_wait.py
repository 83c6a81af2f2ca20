"""Waiting for a run to end: `await`, a blocking wait, and the policy for cells that nobody watches."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING

from nb_agentscope.message import Msg
from nb_agentscope.run._pending_call import PendingCall
from nb_agentscope.run._policy import POLICY_REMEDY, policy_note, policy_verdict
from nb_agentscope.run._refused import DecisionRefused

if TYPE_CHECKING:
    from nb_agentscope.run._run import Run


HEARTBEAT_S = 0.1
"""A loop that sleeps without a timer notices a kernel's Interrupt only when something else wakes it, seconds later."""


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop that runs in this thread, if any."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class Waiting:
    """Those who wait for `run`."""

    def __init__(self, run: Run, remark: Callable[[str], None]) -> None:
        self.frontend_seen = False
        self._run = run
        self._remark = remark
        self._events: set[asyncio.Event] = set()
        self._first = 0.0
        """When the first wait began; 0 before it."""
        self._left_waiting: set[str] = set()
        self._remedy_told = False
        self._own_loop: asyncio.AbstractEventLoop | None = None

    def changed(self) -> None:
        """Status, pending calls or the front end changed; called on the run's loop."""
        for event in self._events:
            event.set()

    async def ended(self) -> None:
        """Return when the run has ended; no policy decides meanwhile."""
        await self._watch(with_policy=False)

    async def result(self) -> Msg:
        """The final message.

        Raises:
            BaseException: What the run's agent raised.
            NoFrontendError: The policy is "raise"; the run goes on.
            asyncio.CancelledError: The wait was cancelled; the run has been stopped.
            RuntimeError: The run lives on another loop.
        """
        run = self._run
        if not run.done:
            run.start()
            if run.loop is not asyncio.get_running_loop():
                raise RuntimeError(
                    "This run lives on another event loop; await it there, or use run.wait() in a thread."
                )
            try:
                await self._watch(with_policy=True)
            except asyncio.CancelledError:
                run.stop()
                await self.ended()
                raise
        return self._outcome()

    def block(self, timeout: float | None) -> Msg:
        """See `Run.wait`."""
        if self._run.done:
            return self._outcome()
        if running_loop() is not None:
            raise RuntimeError(
                "An event loop runs in this thread, so wait() would block it: write `await run` instead."
            )
        loop = self._run.loop
        if loop is not None and loop.is_running():
            self._block_on(loop, timeout)
        else:
            self._run_loop(loop, timeout)
        return self._outcome()

    def _outcome(self) -> Msg:
        if self._run.error is not None:
            raise self._run.error
        msg = self._run.msg
        if msg is None:
            raise RuntimeError("The run has ended without a reply.")
        made = self._run.structured_output
        return msg if made is None else msg.model_copy(deep=True, update={"structured_output": deepcopy(made)})

    async def _watch(self, *, with_policy: bool) -> None:
        event = asyncio.Event()
        self._events.add(event)
        if with_policy and not self._first:
            self._first = time.monotonic()
        try:
            while not self._run.done:
                event.clear()
                due_s = self._apply_policy() if with_policy else None
                if not event.is_set() and not self._run.done:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(event.wait(), HEARTBEAT_S if due_s is None else min(due_s, HEARTBEAT_S))
        finally:
            self._events.discard(event)

    def _apply_policy(self) -> float | None:
        """Decide what is due; the seconds until something may be due, None if nothing will."""
        run = self._run
        calls = [call for call in run.pending if call.digest not in self._left_waiting]
        if run.on_no_frontend == "wait" or self.frontend_seen or run.status != "waiting" or not calls:
            return None
        left_s = self._first + run.grace_s - time.monotonic()
        if left_s > 0:
            return left_s
        for call in calls:
            # Somebody else may have been faster, from another thread.
            with contextlib.suppress(DecisionRefused):
                self._decide(call)
        return None

    def _decide(self, call: PendingCall) -> None:
        run = self._run
        verdict = policy_verdict(run.on_no_frontend, call, run.grace_s)
        note = policy_note(run.on_no_frontend, run.grace_s)
        if verdict is None:
            self._left_waiting.add(call.digest)
            return
        if verdict == "approve":
            run.approve(call.tool_call_id, note=note, reply_id=call.reply_id, digest=call.digest, by="policy")
        else:
            run.deny(call.tool_call_id, note=note, reply_id=call.reply_id, digest=call.digest, by="policy")
        if not self._remedy_told:
            self._remedy_told = True
            self._remark(POLICY_REMEDY)

    def _block_on(self, loop: asyncio.AbstractEventLoop, timeout: float | None) -> None:
        """Wait in this thread for a run on another thread's loop."""
        future = asyncio.run_coroutine_threadsafe(self._watch(with_policy=True), loop)
        try:
            future.result(timeout)
        except TimeoutError:
            future.cancel()
            raise self._too_late(timeout) from None

    def _run_loop(self, loop: asyncio.AbstractEventLoop | None, timeout: float | None) -> None:
        """Run the loop of a run in a script: the run's own, kept from one wait to the next until the run has ended."""
        if loop is None:
            loop = self._own_loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(self._watch_for(timeout))
        except KeyboardInterrupt:
            self._run.stop()
            loop.run_until_complete(self.ended())
            raise
        finally:
            if self._run.done:
                self._close_own_loop()

    async def _watch_for(self, limit_s: float | None) -> None:
        self._run.start()
        watcher = asyncio.ensure_future(self._watch(with_policy=True))
        done, _ = await asyncio.wait({watcher}, timeout=limit_s)
        if not done:
            watcher.cancel()
            raise self._too_late(limit_s)
        watcher.result()

    def _too_late(self, limit_s: float | None) -> TimeoutError:
        return TimeoutError(f"The run is still {self._run.status} after {limit_s or 0:g} s; it stays as it is.")

    def _close_own_loop(self) -> None:
        loop, self._own_loop = self._own_loop, None
        if loop is None:
            return
        rest = asyncio.all_tasks(loop)
        for task in rest:
            task.cancel()
        if rest:
            loop.run_until_complete(asyncio.wait(rest, timeout=1.0))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
