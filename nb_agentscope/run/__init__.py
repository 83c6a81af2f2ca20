"""One reply's life: its task, its log, what waits for a person, and its end."""

from nb_agentscope.run._deciding import Check
from nb_agentscope.run._digest import call_digest
from nb_agentscope.run._driver import Status
from nb_agentscope.run._failure import StreamBrokenError, unknown_item
from nb_agentscope.run._inputs import ClientEvent, Inputs
from nb_agentscope.run._live import AlreadyRunningError, live_run
from nb_agentscope.run._pending_call import PendingCall
from nb_agentscope.run._policy import NoFrontendError, OnNoFrontend
from nb_agentscope.run._refused import DecisionRefused
from nb_agentscope.run._run import Run, RunCallback
from nb_agentscope.run._start import current_cell, start
from nb_agentscope.run._wait import running_loop

__all__ = [
    "AlreadyRunningError",
    "Check",
    "ClientEvent",
    "DecisionRefused",
    "Inputs",
    "NoFrontendError",
    "OnNoFrontend",
    "PendingCall",
    "Run",
    "RunCallback",
    "Status",
    "StreamBrokenError",
    "call_digest",
    "current_cell",
    "live_run",
    "running_loop",
    "start",
    "unknown_item",
]
