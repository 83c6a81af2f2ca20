"""Messages and logs as static HTML and text: no script, nothing fetched, all text escaped."""

from nb_agentscope.render._bundle import live_stub, log_bundle, msg_bundle, transcript
from nb_agentscope.render._text import to_text
from nb_agentscope.render._transcript import to_html

__all__ = ["live_stub", "log_bundle", "msg_bundle", "to_html", "to_text", "transcript"]
