"""MIME bundles: what a notebook keeps of a message, a log or a run."""

from __future__ import annotations

from typing import Any

from nb_agentscope.render._element import element
from nb_agentscope.render._text import to_text
from nb_agentscope.render._transcript import to_html

HTML_BYTES = 128_000
TEXT_BYTES = 32_000


def transcript(run: Any, *, elapsed_s: float | None = None) -> dict[str, str]:
    """The transcript of anything with `msgs`, `progress` and `status`; at most 160 kB."""
    options = {"status": run.status, "elapsed_s": elapsed_s}
    return {
        "text/html": to_html(run.msgs, run.progress, limit=HTML_BYTES, **options),
        "text/plain": to_text(run.msgs, run.progress, limit=TEXT_BYTES, **options),
    }


def live_stub(label: str) -> dict[str, str]:
    """What stands for a live view where no view can be: in a notebook that was saved before the run was over."""
    note = "This run was still going on when the notebook was saved; run the cell again, or load its log."
    html = element("div", element("p", label), element("p", note), cls="nbas-root nbas-stub")
    return {"text/html": html, "text/plain": label}
