"""Carries out what the browser asks for, and answers every request exactly once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from nb_agentscope.widget._outbox import Answer
from nb_agentscope.widget._protocol import Ack, Decide, Earlier, Fetch, Refused, Result, Shown, Stop
from nb_agentscope.widget._view import fetch

Request = Decide | Result | Shown | Stop | Fetch
Answered = tuple[Answer, list[bytes] | None]
_KEPT = 1_000


class Requests:
    """Requests of all views of one widget.

    Args:
        run: A `Run`, or what stands in for one.
    """

    def __init__(self, run: Any) -> None:
        self._run = run
        self._answered: OrderedDict[str, Answer] = OrderedDict()
        self._handlers: dict[str, Callable[[Any], None]] = {
            "decide": self._decide,
            "result": self._result,
            "shown": self._shown,
            "stop": self._stop,
        }

    def handle(self, request: Request) -> Answered:
        """Carry out `request`, unless its id was answered before; then repeat that answer.

        Whatever goes wrong becomes the answer: an exception in a message callback would reach nobody.
        """
        if request.id in self._answered:
            return self._answered[request.id].model_copy(), None
        try:
            if isinstance(request, Fetch):
                data, media_type = fetch(self._run, request.reply_id, request.block_id, request.tool_call_id)
                return Ack(id=request.id, media_type=media_type), [data]
            self._handlers[request.type](request)
            answer: Answer = Ack(id=request.id)
        except Exception as error:  # noqa: BLE001 - shown to the person who asked
            answer = refusal(request.id, error)
        self._remember(request.id, answer)
        return answer, None

    def _remember(self, id: str, answer: Answer) -> None:
        self._answered[id] = answer
        if len(self._answered) > _KEPT:
            self._answered.popitem(last=False)

    def _decide(self, request: Decide) -> None:
        bound = {"reply_id": request.reply_id, "digest": request.digest, "by": "user"}
        if request.approved:
            self._run.approve(request.tool_call_id, input=request.input, rules=request.rules, **bound)
        else:
            self._run.deny(request.tool_call_id, note=request.note, **bound)

    def _result(self, request: Result) -> None:
        self._run.submit_result(
            request.tool_call_id,
            request.output,
            state=request.state,
            reply_id=request.reply_id,
            digest=request.digest,
            by="user",
        )

    def _shown(self, request: Shown) -> None:
        self._run.mark_shown(request.tool_call_id, reply_id=request.reply_id, digest=request.digest)

    def _stop(self, _request: Stop) -> None:
        self._run.stop(by="user")


def refusal(id: str, error: Exception) -> Refused:
    """The answer that says what went wrong."""
    expected = isinstance(error, ValueError | LookupError)
    reason = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    earlier = getattr(error, "earlier", None)
    return Refused(
        id=id,
        reason=reason if expected and reason else f"{type(error).__name__}: {reason}",
        earlier=Earlier.model_validate(earlier) if earlier else None,
    )
