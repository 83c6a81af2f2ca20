"""What a widget reads of its run, as wire values; a loaded log reads the same."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from nb_agentscope.message import Base64Source, DataBlock, HintBlock, Msg, ToolResultBlock
from nb_agentscope.run import Status
from nb_agentscope.stream import EventLog, Lane, LaneView, Progress, Record
from nb_agentscope.widget._dump import dump, withhold
from nb_agentscope.widget._protocol import LaneState, Pending, Snapshot, seconds


class Readable(Protocol):
    """The reading half of a `Run`; all that a widget needs to show something."""

    @property
    def status(self) -> Status:
        """Running, waiting or finished."""

    @property
    def msgs(self) -> list[Msg]:
        """Every reply so far."""

    @property
    def progress(self) -> Progress:
        """What is not in a message."""

    @property
    def lanes(self) -> Mapping[Lane, LaneView]:
        """What sub-agents said."""

    @property
    def log(self) -> EventLog:
        """All events."""

    @property
    def pending(self) -> list[Any]:
        """Calls that wait for a person."""

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start, up to the end."""

    def subscribe(self, callback: Callable[..., None], /) -> Callable[[], None]:
        """Call back on every record and change of status, until the returned function is called."""


def read_pending(run: Readable) -> list[Pending]:
    """What waits for a person."""
    return [Pending.model_validate(dump(Pending.model_validate(call))) for call in run.pending]


def read_snapshot(run: Readable, *, live: bool) -> Snapshot:
    """Everything so far; costs time linear in the content."""
    records = run.log.records
    return Snapshot(
        seq=records[-1].seq + 1 if records else 0,
        **_folded(run.msgs, run.progress),
        status=run.status,
        pending=read_pending(run),
        elapsed_s=seconds(run.elapsed_s),
        live=live,
        lanes=[
            LaneState(**lane._asdict(), **_folded(view.msgs, view.progress)) for lane, view in list(run.lanes.items())
        ],
    )


def _folded(msgs: Sequence[Msg], progress: Progress) -> dict[str, Any]:
    return {"msgs": [withhold(dump(msg)) for msg in msgs], "progress": withhold(dump(progress))}


def _elapsed_s(records: Sequence[Record]) -> float:
    """Seconds from the first record to the last, by the clock that recorded them, else by the events' own."""
    start, end = (_time(records[0]), _time(records[-1])) if records else (None, None)
    return seconds((end - start).total_seconds()) if start is not None and end is not None else 0.0


def _time(record: Record) -> datetime | None:
    try:
        time = datetime.fromisoformat(record.at or record.event.created_at)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def fetch(run: Readable, reply_id: str, block_id: str, tool_call_id: str | None) -> tuple[bytes, str]:
    """The bytes and the media type of a data block.

    Raises:
        LookupError: There is no such block with bytes of its own.
        ValueError: Its base64 is broken.
    """
    for block in _data_blocks(run, reply_id, tool_call_id):
        if block.id == block_id and isinstance(block.source, Base64Source):
            try:
                return base64.b64decode(block.source.data), block.source.media_type
            except binascii.Error as error:
                raise ValueError(f"The data of block {block_id!r} is not valid base64: {error}.") from error
    raise LookupError(f"There is no data block {block_id!r} in message {reply_id!r}.")


def _data_blocks(run: Readable, reply_id: str, tool_call_id: str | None) -> Iterator[DataBlock]:
    inputs = [Msg.model_validate(raw) for raw in run.progress.inputs if raw.get("id") == reply_id]
    said = [msg for msgs in (run.msgs, *(view.msgs for view in run.lanes.values())) for msg in msgs]
    for msg in (*(msg for msg in said if msg.id == reply_id), *inputs):
        for block in msg.content:
            if tool_call_id is None and isinstance(block, DataBlock):
                yield block
            if isinstance(block, HintBlock) and not isinstance(block.hint, str):
                yield from (part for part in block.hint if isinstance(part, DataBlock))
            if isinstance(block, ToolResultBlock) and block.id == tool_call_id and not isinstance(block.output, str):
                yield from (part for part in block.output if isinstance(part, DataBlock))


class LogView:
    """A log without a run behind it: everything is there to read, nothing to decide or to stop."""

    live = False
    status: Status = "finished"
    error: BaseException | None = None

    def __init__(self, log: EventLog) -> None:
        self.log = log
        self.pending: list[Any] = []
        self.progress = log.view.progress
        self.lanes = log.view.lanes
        self.elapsed_s = _elapsed_s(log.records)

    @property
    def msgs(self) -> list[Msg]:
        """Every reply of the log."""
        return self.log.msgs

    @property
    def msg(self) -> Msg | None:
        """The newest reply of the log."""
        return self.log.msg

    def subscribe(self, callback: Callable[..., None], /) -> Callable[[], None]:  # noqa: ARG002 - nothing will happen
        """Nothing will happen any more."""
        return lambda: None

    def __await__(self) -> Any:
        return self._result().__await__()

    async def _result(self) -> Msg | None:
        return self.msg

    def wait(self, timeout: float | None = None) -> Msg | None:  # noqa: ARG002 - nothing to wait for
        """The newest reply of the log, at once."""
        return self.msg

    def _refuse(self, *_args: Any, **_options: Any) -> None:
        raise ValueError(
            "This is a loaded log, nothing waits in it; start the agent again to decide or stop something."
        )

    approve = deny = submit_result = mark_shown = stop = _refuse
