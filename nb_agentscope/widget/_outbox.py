"""What leaves the kernel for one widget: collected, batched, paced, numbered."""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from nb_agentscope.event import AgentEvent, EventType
from nb_agentscope.run import Status
from nb_agentscope.stream import Record
from nb_agentscope.widget._bucket import KERNEL_BUCKET, TokenBucket
from nb_agentscope.widget._dump import dump, dump_events
from nb_agentscope.widget._protocol import Ack, Batch, Pending, Refused, Snapshot

INTERVAL_S = 1 / 30
"""Between two batches."""
PER_SECOND = 31
"""Messages in any second that batches may fill up to."""
BATCH_BYTES = 250_000
"""Of the events in one batch; the rest of the message stays below 6 kB unless a pending call is large."""
BATCH_RECORDS = 4_000
"""Of the log in one batch, so that building it never holds up the loop for long."""

_URGENT = frozenset({EventType.REQUIRE_USER_CONFIRM, EventType.REQUIRE_EXTERNAL_EXECUTION, EventType.REPLY_END})

Answer = Ack | Refused
Send = Callable[[dict[str, Any], list[bytes] | None], None]


class Source(Protocol):
    """What an outbox asks the widget for when it is about to send."""

    def flush_log(self) -> None:
        """Hand what was logged to the operating system."""

    def snapshot(self) -> Snapshot:
        """Everything so far."""

    def state(self) -> tuple[Status, list[Pending], float]:
        """Status, what waits for a person, and the seconds since the start."""


class Outbox:
    """Sends one message at a time: answers first, then a snapshot if one is due, then a batch of events.

    Not thread-safe: everything is called on the loop's thread. Without a loop (no kernel, or a log without a run) messages
    leave at once.

    Args:
        send: Sends one message with its buffers to all views.
        source: Asked for the state when a message is made.
        bucket: Shared by all outboxes of the process.
        loop: Where the timers run; None until the run has found one.
    """

    def __init__(
        self,
        send: Send,
        source: Source,
        *,
        bucket: TokenBucket = KERNEL_BUCKET,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._send = send
        self._source = source
        self._bucket = bucket
        self.loop = loop
        # All messages leave under the cell that made the widget, whichever click or cell caused them: newer kernels answer a
        # message on the thread that caused it, and would move the whole conversation there.
        self._context = contextvars.copy_context()
        self._items: list[tuple[Record, list[AgentEvent]]] = []
        self._answers: deque[tuple[Answer, list[bytes] | None]] = deque()
        self._snapshot_due = False
        self._state_due = False
        self._urgent = False
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._reserved = False
        self._sent_at: deque[float] = deque(maxlen=PER_SECOND)
        self._last_batch = float("-inf")
        self._pending: list[Pending] | None = None
        self._seq = 0
        self.sent = 0
        """Messages so far; the newest has this `n`."""
        self.snapshots = 0
        """Snapshots among them."""
        self.listening = False
        """Whether a view has ever asked; before that, events are left to its first snapshot."""

    def push(self, record: Record, events: list[AgentEvent]) -> None:
        """Queue the tidied events of one record; costs next to nothing."""
        self._items.append((record, events))
        if record.event.type in _URGENT:
            self._urgent = True
            self._schedule()
        elif self._timer is None:
            self._schedule()

    def push_state(self) -> None:
        """Status or pending calls changed: say so at once."""
        self._state_due = self._urgent = True
        self._schedule()

    def answer(self, answer: Answer, buffers: list[bytes] | None = None) -> None:
        """Queue an answer to a request; it leaves before everything else."""
        self._answers.append((answer, buffers))
        self._schedule()

    def request_snapshot(self) -> None:
        """Send a snapshot soon; several requests before it leaves are one."""
        self.listening = self._snapshot_due = True
        self._schedule()

    def sync(self, have: int) -> None:
        """A view says what it has: send what it lacks, or the state, which it may have missed as well."""
        if have == 0 or have != self._seq or not self.listening:
            self.request_snapshot()
            return
        self._pending = None
        self.push_state()
        self.answer(Ack(id=""))

    def drain(self) -> None:
        """Send everything now, whatever the pace says; for where no loop can run a timer."""
        while self._due() is not None:
            self._send_one()

    def _due(self) -> float | None:
        now = self._now()
        if self._answers:
            return now
        if not (self._items or self._snapshot_due or self._state_due):
            return None
        earliest = now if self._urgent else self._last_batch + INTERVAL_S
        if len(self._sent_at) == PER_SECOND:
            earliest = max(earliest, self._sent_at[0] + 1.0)
        return max(now, earliest)

    def _now(self) -> float:
        return self.loop.time() if self.loop is not None else 0.0

    def _schedule(self) -> None:
        due = self._due()
        if due is None or self._reserved:
            return
        if self.loop is None or self.loop.is_closed():
            self._context.copy().run(self.drain)
            return
        if self._timer is not None:
            if self._timer_at <= due:
                return
            self._timer.cancel()
        self._timer_at = due
        self._timer = self.loop.call_at(due, self._tick, context=self._context.copy())

    def _tick(self) -> None:
        wait = self._bucket.reserve()
        if wait > 0 and self.loop is not None:
            self._reserved = True
            self._timer = self.loop.call_later(wait, self._use_token, context=self._context.copy())
        else:
            self._use_token()

    def _use_token(self) -> None:
        self._timer, self._reserved = None, False
        try:
            self._send_one()
        finally:
            self._schedule()

    def _send_one(self) -> None:
        """Make and send the one message that is due."""
        self._source.flush_log()  # first, so that nothing was ever shown that a killed process loses
        message, buffers = self._next()
        if message is None:
            return
        self.sent += 1
        message.n = self.sent
        self._sent_at.append(self._now())
        # An answer may quote what a model wrote, which may be no well-formed text; the rest was dumped before.
        content = dump(message) if isinstance(message, Ack | Refused) else message.model_dump(mode="json")
        self._send(content, buffers)

    def _next(self) -> tuple[Answer | Snapshot | Batch | None, list[bytes] | None]:
        if self._answers:
            return self._answers.popleft()
        self._last_batch = self._now()
        if self._snapshot_due or not self.listening:
            return self._snapshot(), None
        return self._batch(), None

    def _snapshot(self) -> Snapshot | None:
        self._items.clear()
        wanted, self._snapshot_due, self._state_due, self._urgent = self._snapshot_due, False, False, False
        if not wanted:
            return None  # nobody listens yet
        snapshot = self._source.snapshot()
        self._pending, self._seq = snapshot.pending, snapshot.seq
        self.snapshots += 1
        return snapshot

    def _batch(self) -> Batch:
        seq0 = self._items[0][0].seq if self._items else self._seq
        events = self._take_events()
        status, pending, elapsed_s = self._source.state()
        changed = pending != self._pending
        self._pending = pending
        self._state_due = False
        self._urgent = self._urgent and bool(self._items)
        return Batch(
            seq0=seq0,
            seq1=self._seq,
            events=events,
            status=status,
            pending=pending if changed else None,
            elapsed_s=elapsed_s,
        )

    def _take_events(self) -> list[dict[str, Any]]:
        """The next events, of as many whole records as fit into one message; at least one record's."""
        count = min(len(self._items), BATCH_RECORDS)
        events, size = dump_events(self._items[:count])
        while size > BATCH_BYTES and count > 1:
            count = max(1, min(count - 1, int(count * BATCH_BYTES / size)))
            events, size = dump_events(self._items[:count])
        if count:
            self._seq = self._items[count - 1][0].seq + 1
            del self._items[:count]
        return events
