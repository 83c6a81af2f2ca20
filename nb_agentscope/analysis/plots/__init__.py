"""Charts of logs, drawn with matplotlib (extra `plots`).

Why matplotlib, by what each library puts into a saved notebook for one chart of 200 bars (altair 6.3, plotly 7.1):

- altair: 7 kB, but the page fetches Vega from a CDN: nothing offline. Its other output needs a notebook with Vega-Lite 6 in it.
- plotly: 4.8 MB with its script, or 9 kB and a CDN. Both run a script, which an untrusted notebook does not.
- matplotlib: markup and a picture, tens of kB, no script and no fetch; it shows wherever pictures do.

Two things are missing from matplotlib, and `Chart` adds them. A figure made without pyplot shows as text alone in a
notebook. And a picture has one colour for its letters, while no grey has a contrast of 4.5 both on white and on #111 (the
best has 4.3). So a chart shows itself as inline SVG whose letters and lines take the colours and the font of the page, and,
wherever there is no such page, as a transparent PNG in greys that can be read on both. Data have colours with a contrast
above 3 on both, which the colour-blind tell apart, and hatches besides. pyplot is never touched: no global figures, no
settings changed.

Each function takes what the tables take, a log with `where=`, `strict=`, `tz=` and, where it matters, `prices=`, or a frame of
the table that it names. Each returns a `Chart`, which is a `matplotlib.figure.Figure`: it has `savefig`, `axes` and the rest.
"""

try:
    import matplotlib as mpl  # noqa: F401 - only to say in one sentence what is missing
except ImportError as error:
    raise ImportError("Charts need matplotlib; install it with: pip install 'nb-agentscope[plots]'") from error

from nb_agentscope.analysis.plots._approvals import approvals
from nb_agentscope.analysis.plots._chart import Chart
from nb_agentscope.analysis.plots._cost import cost
from nb_agentscope.analysis.plots._latency import latency
from nb_agentscope.analysis.plots._prefill import prefill
from nb_agentscope.analysis.plots._time_split import time_split
from nb_agentscope.analysis.plots._timeline import timeline
from nb_agentscope.analysis.plots._tokens import tokens
from nb_agentscope.analysis.plots._tools import tool_latency

__all__ = ["Chart", "approvals", "cost", "latency", "prefill", "time_split", "timeline", "tokens", "tool_latency"]
