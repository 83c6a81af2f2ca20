"""Small logs for tests of tables: events written in one line each, with times in seconds."""

from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
NAMES = {"TOOL_CALL": "tool_call_id", "TOOL_RESULT": "tool_call_id"}


def moment(seconds: float) -> str:
    return (START + timedelta(seconds=seconds)).isoformat()


class Made:
    """A log as rows; `plain` ones have `created_at` alone, others the recorder's clocks, too."""

    def __init__(self, *, plain: bool = False, reply: str = "r1") -> None:
        self.rows: list[dict[str, Any]] = []
        self.plain = plain
        self.reply = reply

    def __call__(self, t: float, type: str, *, by: str | None = None, dir: str = "out", **fields: Any) -> "Made":
        n = len(self.rows)
        row = {"id": f"e{n}", "created_at": moment(t), "metadata": {}, "type": type}
        if type != "CUSTOM":
            row["reply_id"] = self.reply
        row |= fields
        if not self.plain:
            row["recorded"] = {"seq": n, "at": moment(t), "mono": 500.0 + t, "dir": dir, "by": by}
        self.rows.append(row)
        return self

    def start(self, t: float, **fields: Any) -> "Made":
        return self(t, "REPLY_START", **{"session_id": "s1", "name": "boss", "role": "assistant"} | fields)

    def end(self, t: float, reason: str = "completed", **fields: Any) -> "Made":
        return self(t, "REPLY_END", session_id="s1", finished_reason=reason, **{"error": None} | fields)

    def model(self, t: float, name: str = "m", **fields: Any) -> "Made":
        return self(t, "MODEL_CALL_START", model_name=name, **fields)

    def model_end(
        self, t: float, used: tuple[int, ...] = (10, 5, 0, 0), reason: str = "completed", **fields: Any
    ) -> "Made":
        names = ("input_tokens", "output_tokens", "cache_input_tokens", "cache_creation_input_tokens")
        return self(t, "MODEL_CALL_END", finished_reason=reason, **dict(zip(names, used, strict=True)), **fields)

    def text(self, *times: float, block: str = "b1", chunk: str = "word ", **fields: Any) -> "Made":
        """A text block: its start, its deltas, its end."""
        first, *deltas, last = times
        self(first, "TEXT_BLOCK_START", block_id=block, **fields)
        for t in deltas:
            self(t, "TEXT_BLOCK_DELTA", block_id=block, delta=chunk, **fields)
        return self(last, "TEXT_BLOCK_END", block_id=block, text=None, **fields)

    def call(self, *times: float, id: str = "c1", name: str = "read", args: str = '{"x": 1}', **fields: Any) -> "Made":
        """The arguments of a tool call in as many pieces as there are times between start and end."""
        first, *deltas, last = times
        self(first, "TOOL_CALL_START", tool_call_id=id, tool_call_name=name, **fields)
        size = -(-len(args) // max(len(deltas), 1))
        for n, t in enumerate(deltas):
            self(t, "TOOL_CALL_DELTA", tool_call_id=id, delta=args[n * size : (n + 1) * size], **fields)
        return self(last, "TOOL_CALL_END", tool_call_id=id, **fields)

    def result(
        self, *times: float, id: str = "c1", name: str = "read", state: str = "success", **fields: Any
    ) -> "Made":
        first, *deltas, last = times
        self(first, "TOOL_RESULT_START", tool_call_id=id, tool_call_name=name, **fields)
        for t in deltas:
            self(t, "TOOL_RESULT_TEXT_DELTA", tool_call_id=id, delta="line\n", **fields)
        return self(last, "TOOL_RESULT_END", tool_call_id=id, state=state, **fields)

    def ask(
        self, t: float, id: str = "c1", name: str = "read", input: str = '{"x": 1}', type: str = "CONFIRM"
    ) -> "Made":
        kind = {"CONFIRM": "REQUIRE_USER_CONFIRM", "EXTERNAL": "REQUIRE_EXTERNAL_EXECUTION"}[type]
        rule = {"tool_name": name, "rule_content": None, "behavior": "allow", "source": "suggested"}
        block = {
            "type": "tool_call",
            "id": id,
            "name": name,
            "input": input,
            "state": "asking",
            "suggested_rules": [rule],
        }
        return self(t, kind, tool_calls=[block])

    def decide(self, t: float, confirmed: bool, id: str = "c1", name: str = "read", input: str = '{"x": 1}', rules: Any = None,
               by: str = "user", **fields: Any) -> "Made":  # fmt: skip
        call = {"type": "tool_call", "id": id, "name": name, "input": input}
        result = {"confirmed": confirmed, "tool_call": call, "rules": rules}
        return self(t, "USER_CONFIRM_RESULT", dir="in", by=by, confirm_results=[result], **fields)

    def shown(self, t: float, id: str = "c1", reply: Any = None) -> "Made":
        value = {"reply_id": reply or self.reply, "tool_call_id": id}
        return self(t, "CUSTOM", dir="in", name="nb_agentscope.shown", value=value)

    def told(self, start: float, end: float, model: str = "m", *, used: Any = (10, 5, 0, 0), **value: Any) -> "Made":
        """A call of a watched model from start to end."""
        names = ("input_tokens", "output_tokens", "cache_input_tokens", "cache_creation_input_tokens")
        moments = {"started": start, "ended": end}
        clock = {name: {"at": moment(t), "mono": 500.0 + t} for name, t in moments.items()}
        tokens = None if used is None else dict(zip(names, used, strict=True))
        about = {"model": model, "reply_id": None, "kind": None, "status": "completed", "error": None}
        return self(end, "CUSTOM", name="nb_agentscope.model_call", value=about | clock | {"tokens": tokens} | value)

    def lane(self, source: str, parent: str, call: str, reply: str) -> "Made":
        """The same log, as a sub-agent writes in it."""
        nested = Made(plain=self.plain, reply=reply)
        nested.rows = self.rows
        tags = {"source": source, "parent_reply_id": parent, "parent_tool_call_id": call}
        plain_call = nested.__class__.__call__

        class Nested(Made):
            def __call__(self, t: float, type: str, **fields: Any) -> "Made":
                return plain_call(self, t, type, **{"metadata": tags} | fields)

        nested.__class__ = Nested
        return nested


def row(frame: Any, place: int = 0) -> dict[str, Any]:
    """One row of a frame: None for what is missing."""
    values = frame.astype(object).iloc[place].to_dict()
    import pandas as pd

    return {
        name: None if not isinstance(value, (list, dict)) and pd.isna(value) else value
        for name, value in values.items()
    }
