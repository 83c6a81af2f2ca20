"""A small log, written by hand: an agent that asks, waits, fails with a tool, calls a sub-agent and a program outside.

Ten seconds: the model 3.5, tools 3, a person 2, outside 1, nothing 0.5.
"""

from datetime import UTC, datetime, timedelta

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
PRICES = {"m-large": {"input": 10.0, "output": 100.0, "cache_read": 1.0, "accounting": "inclusive"}}


class Story:
    """Writes events at seconds of the log."""

    def __init__(self):
        self.events = []

    def tell(self, second, type, reply="r1", **fields):
        at = (BEGAN + timedelta(seconds=second)).isoformat()
        self.events.append({"id": f"e{len(self.events)}", "created_at": at, "type": type, "reply_id": reply, **fields})

    def model_call(self, start, end, deltas, model, usage, reply="r1", **fields):
        self.tell(start, "MODEL_CALL_START", reply, model_name=model, **fields)
        block = f"b{len(self.events)}"
        self.tell(deltas[0], "TEXT_BLOCK_START", reply, block_id=block, **fields)
        for second in deltas:
            self.tell(second, "TEXT_BLOCK_DELTA", reply, block_id=block, delta="word ", **fields)
        self.tell(deltas[-1], "TEXT_BLOCK_END", reply, block_id=block, **fields)
        names = ("input_tokens", "output_tokens", "cache_input_tokens")
        counts = dict(zip(names, usage, strict=True)) | {"cache_creation_input_tokens": 0}
        self.tell(end, "MODEL_CALL_END", reply, finished_reason="completed", **counts, **fields)

    def tool_call(self, second, id, name, reply="r1"):
        self.tell(second, "TOOL_CALL_START", reply, tool_call_id=id, tool_call_name=name)
        self.tell(second, "TOOL_CALL_DELTA", reply, tool_call_id=id, delta="{}")
        self.tell(second, "TOOL_CALL_END", reply, tool_call_id=id)

    def result(self, start, end, id, name, state="success", text="done", inside=None):
        self.tell(start, "TOOL_RESULT_START", tool_call_id=id, tool_call_name=name)
        if inside:
            inside(self)
        self.tell(end, "TOOL_RESULT_TEXT_DELTA", tool_call_id=id, block_id=id, delta=text)
        self.tell(end, "TOOL_RESULT_END", tool_call_id=id, state=state)


def asked(id, name):
    return {"type": "tool_call", "id": id, "name": name, "input": "{}", "state": "asking", "suggested_rules": []}


def sub_agent(story, name="helper"):
    lane = {"source": f"boss/{name}", "parent_reply_id": "r1", "parent_tool_call_id": "t2"}
    about = {"metadata": lane}
    story.tell(6, "REPLY_START", "r2", session_id="s2", name=name, role="assistant", **about)
    story.model_call(6.5, 7.5, [7, 7.25], "m-small", (0, 0, 0), "r2", **about)
    story.tell(8, "REPLY_END", "r2", session_id="s2", finished_reason="completed", error=None, **about)


def story(*, tool="delete", agent="boss", message="boom", error=None):
    """The events; names and texts may be as hostile as a test wants."""
    told = Story()
    told.tell(0, "REPLY_START", session_id="s1", name=agent, role="assistant")
    told.model_call(0, 2, [0.5, 1.5], "m-large", (100, 11, 40))
    told.tool_call(1.9, "t1", tool)
    told.tell(2, "REQUIRE_USER_CONFIRM", tool_calls=[asked("t1", tool)])
    told.tell(
        4, "USER_CONFIRM_RESULT", confirm_results=[{"confirmed": True, "tool_call": asked("t1", tool), "rules": None}]
    )
    told.result(4, 5, "t1", tool, "error", message)
    told.model_call(5, 6, [5.25, 5.5], "m-large", (200, 6, 100))
    told.tool_call(5.9, "t2", "helper")
    told.result(6, 8, "t2", "helper", inside=sub_agent)
    told.model_call(8, 8.5, [8.25, 8.375], "m-large", (300, 2, 0))
    told.tool_call(8.4, "t3", "outside")
    told.tell(8.5, "REQUIRE_EXTERNAL_EXECUTION", tool_calls=[asked("t3", "outside")])
    told.tell(8.5, "TOOL_RESULT_START", tool_call_id="t3", tool_call_name="outside")
    given = {"type": "tool_result", "id": "t3", "name": "outside", "output": "12", "state": "success"}
    told.tell(9.5, "EXTERNAL_EXECUTION_RESULT", execution_results=[given])
    told.tell(9.5, "TOOL_RESULT_END", tool_call_id="t3", state="success")
    reason = "completed" if error is None else "error"
    told.tell(10, "REPLY_END", session_id="s1", finished_reason=reason, error=error)
    return told.events
