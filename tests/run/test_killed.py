"""A run whose process is killed leaves everything that its widget had shown."""

import pytest

from nb_agentscope.event import TextBlockDeltaEvent
from nb_agentscope.stream import EventLog, fold_all
from tests.killing import killed_after, needs_sigkill

RUNNER = """
import asyncio, itertools, signal, sys
import comm
from comm.base_comm import BaseComm
from nb_agentscope.event import ReplyStartEvent, TextBlockDeltaEvent, TextBlockStartEvent
from nb_agentscope.run import Run
from nb_agentscope.widget import AgentWidget

path, freeze_at = sys.argv[1], int(sys.argv[2])
shown = itertools.count(1)

class Browser(BaseComm):
    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
        content = (data or {}).get("content") or {}
        if content.get("type") not in ("snapshot", "batch"):
            return
        print(content["seq"] if content["type"] == "snapshot" else content["seq1"], flush=True)
        if next(shown) == freeze_at:
            signal.pause()  # nothing can be written any more: what was shown is on disk, or it is lost

class Endless:
    name = "Endless"

    async def reply_stream(self, inputs):
        yield ReplyStartEvent(session_id="s", reply_id="r", name="Endless")
        yield TextBlockStartEvent(reply_id="r", block_id="b")
        for i in itertools.count():
            yield TextBlockDeltaEvent(reply_id="r", block_id="b", delta=f"<{i}>")
            await asyncio.sleep(0.001)

async def main():
    run = Run(Endless(), "go", log_to=path)
    widget = AgentWidget(run)
    widget._handle_custom_msg({"v": 1, "type": "hello", "view": "page"}, [])
    widget._handle_custom_msg({"v": 1, "type": "sync", "have": 0}, [])
    await run

comm.create_comm = lambda *args, **options: Browser(**options)
asyncio.run(main())
"""


@needs_sigkill
@pytest.mark.parametrize(("messages", "place"), [(1, "run.jsonl"), (12, "run.jsonl"), (12, "runs/")])
def test_a_killed_run_leaves_everything_that_was_shown(messages, place, tmp_path):
    shown = int(killed_after(messages, RUNNER, f"{tmp_path}/{place}", messages))
    [path] = tmp_path.rglob("*.jsonl")
    log = EventLog.load(path, strict=True)
    assert len(log) >= shown > messages
    assert [record.seq for record in log.records] == list(range(len(log)))
    text = "".join(f"<{i}>" for i in range(sum(isinstance(event, TextBlockDeltaEvent) for event in log)))
    assert "".join(msg.get_text_content() or "" for msg in fold_all(log)) == text
    assert shown < 10 or text
    again = EventLog(path)
    assert len(again) == len(log)
    again.close()
