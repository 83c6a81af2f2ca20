"""Folds over events: append, fold, tidy, verify, logs."""

from nb_agentscope.stream._append import append_event
from nb_agentscope.stream._close import BEGUN_KEY, closing_events
from nb_agentscope.stream._coalesce import coalesce
from nb_agentscope.stream._disk import record_json
from nb_agentscope.stream._error import error_info
from nb_agentscope.stream._fold import Fold, fold, fold_all
from nb_agentscope.stream._header import HEADER_NAME, header_event, input_event, shown_event
from nb_agentscope.stream._lane import PARENT_CALL_KEY, PARENT_REPLY_KEY, SOURCE_KEY, Lane, lane_of
from nb_agentscope.stream._log import EventLog
from nb_agentscope.stream._media import Media, MediaReference
from nb_agentscope.stream._media_unused import unused_media
from nb_agentscope.stream._model_calls import MODEL_CALL_NAME, ObservedCall, begin_call, calls_of, listen
from nb_agentscope.stream._progress import (
    NOTE_KEY,
    NOTE_NAME,
    SHOWN_KEY,
    STRUCTURED_KEY,
    UNKNOWN_NAME,
    Decision,
    Progress,
    ToolProgress,
    seconds_between,
)
from nb_agentscope.stream._record import (
    IN_NAMES,
    INPUT_NAME,
    SHOWN_NAME,
    By,
    Compacted,
    Direction,
    Moment,
    Record,
    direction_of,
)
from nb_agentscope.stream._tidy import Tidy, tidy
from nb_agentscope.stream._verify import Problem, verify
from nb_agentscope.stream._view import LaneView, View

__all__ = [
    "BEGUN_KEY",
    "HEADER_NAME",
    "INPUT_NAME",
    "IN_NAMES",
    "MODEL_CALL_NAME",
    "NOTE_KEY",
    "NOTE_NAME",
    "PARENT_CALL_KEY",
    "PARENT_REPLY_KEY",
    "SHOWN_KEY",
    "SHOWN_NAME",
    "SOURCE_KEY",
    "STRUCTURED_KEY",
    "UNKNOWN_NAME",
    "By",
    "Compacted",
    "Decision",
    "Direction",
    "EventLog",
    "Fold",
    "Lane",
    "LaneView",
    "Media",
    "MediaReference",
    "Moment",
    "ObservedCall",
    "Problem",
    "Progress",
    "Record",
    "Tidy",
    "ToolProgress",
    "View",
    "append_event",
    "begin_call",
    "calls_of",
    "closing_events",
    "coalesce",
    "direction_of",
    "error_info",
    "fold",
    "fold_all",
    "header_event",
    "input_event",
    "lane_of",
    "listen",
    "record_json",
    "seconds_between",
    "shown_event",
    "tidy",
    "unused_media",
    "verify",
]
