"""A process that is killed leaves everything that was shown."""

import pytest

from nb_agentscope.stream import EventLog, verify
from tests.killing import killed_after, needs_sigkill

WRITER = """
import sys
from nb_agentscope.event import ReplyStartEvent, TextBlockDeltaEvent, TextBlockStartEvent
from nb_agentscope.stream import EventLog, header_event
log = EventLog(sys.argv[1])
log.append(header_event("writer"))
log.append(ReplyStartEvent(session_id="s", reply_id="r", name="writer"))
log.append(TextBlockStartEvent(reply_id="r", block_id="b"))
while True:
    for _ in range(7):
        record = log.append(TextBlockDeltaEvent(reply_id="r", block_id="b", delta=f"<{len(log)}>"))
    log.flush()
    print(record.seq, flush=True)  # shown
    for _ in range(3):
        log.append(TextBlockDeltaEvent(reply_id="r", block_id="b", delta="never shown"))
"""


@needs_sigkill
@pytest.mark.parametrize("batches", [1, 40, 400])
def test_a_killed_process_leaves_everything_that_was_shown(batches, tmp_path):
    path = tmp_path / "run.jsonl"
    shown = int(killed_after(batches, WRITER, path))
    log = EventLog.load(path, strict=True)
    assert len(log) > shown
    assert f"<{shown}>" in log.msg.get_text_content()
    assert [record.seq for record in log.records] == list(range(len(log)))
    assert {problem.rule for problem in verify(log)} == {"outside_model_call"}
    again = EventLog(path)
    assert len(again) == len(log)
    again.close()
