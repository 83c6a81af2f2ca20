"""MIME bundles: what a notebook keeps of a message, a log or a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nb_agentscope.message import Msg
from nb_agentscope.render._element import element
from nb_agentscope.render._text import to_text
from nb_agentscope.render._transcript import to_html
from nb_agentscope.stream import EventLog, Lane, LaneView, Progress

HTML_BYTES = 128_000
TEXT_BYTES = 32_000


def transcript(run: Any, *, theme: str = "auto", max_height: int | None = None) -> dict[str, str]:
    """The transcript of anything with `msgs`, `progress`, `lanes`, `status` and `elapsed_s`; at most 160 kB."""
    return _bundle(run.msgs, run.progress, run.lanes, run.status, run.elapsed_s, theme=theme, max_height=max_height)


def log_bundle(log: EventLog) -> dict[str, str]:
    """The transcript of a log as far as it goes; at most 160 kB."""
    return _bundle(log.view.msgs, log.view.progress, log.view.lanes, "finished", None)


def msg_bundle(msg: Msg) -> dict[str, str]:
    """One message; at most 160 kB."""
    return _bundle([msg], Progress(agent=msg.name), {}, "finished", None)


def _bundle(
    msgs: Sequence[Msg],
    progress: Progress,
    lanes: Mapping[Lane, LaneView],
    status: str,
    elapsed_s: float | None,
    **look: Any,
) -> dict[str, str]:
    return {
        "text/html": to_html(msgs, progress, lanes=lanes, status=status, elapsed_s=elapsed_s, limit=HTML_BYTES, **look),
        "text/plain": to_text(msgs, progress, lanes=lanes, status=status, elapsed_s=elapsed_s, limit=TEXT_BYTES),
    }


def live_stub(label: str) -> dict[str, str]:
    """What stands for a live view where no view can be: in a notebook that was saved before the run was over."""
    note = "This run was still going on when the notebook was saved; run the cell again, or load its log."
    html = element("div", element("p", label), element("p", note), cls="nbas-root nbas-stub")
    return {"text/html": html, "text/plain": label}
