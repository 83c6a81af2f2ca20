"""What a run knows of itself is what its page knows: both follow the tidied stream."""

import pytest

from nb_agentscope.run._transcript import Transcript
from nb_agentscope.stream import EventLog, View
from tests.strategies import broken_stream, samples
from tests.stream.words import stream

pytestmark = pytest.mark.filterwarnings("ignore")  # broken streams are complained about; here only the result counts


def test_progress_follows_what_a_view_gets():
    transcript = Transcript(EventLog())
    for event in stream("MODEL_CALL_START REPLY_END"):  # no REPLY_START: tidying adds one
        transcript.write(event)
    assert (transcript.progress.reply_id, transcript.progress.model_open) == ("r", False)


def test_a_run_that_continues_a_log_knows_what_one_knew_that_wrote_it():
    for events in samples(40, broken_stream):
        first = Transcript(EventLog())
        for event in events:
            first.write(event)
        again = Transcript(first.log)
        assert again.progress == first.progress == View.of(first.log.records).progress
