"""Rows of a small log, written by hand: a reply that asks, waits, runs a tool, and starts a sub-agent.

Times are whole microseconds; T + n seconds reads easier than a clock.
"""

T = 1_764_460_800_000_000


def at(seconds):
    return T + round(seconds * 1_000_000)


REPLIES = [
    {
        "reply_id": "r1",
        "session_id": "s1",
        "agent": "boss",
        "parent_reply_id": None,
        "parent_tool_call_id": None,
        "started_at": at(0),
        "ended_at": at(10),
        "finished_reason": "completed",
        "human_wait_s": 2.0,
        "overhead_s": None,
    },
    {
        "reply_id": "r2",
        "session_id": "s1",
        "agent": "helper",
        "parent_reply_id": "r1",
        "parent_tool_call_id": "t2",
        "started_at": at(6),
        "ended_at": at(8),
        "finished_reason": "error",
        "error_type": "model",
        "error_message": "The model is away.",
    },
]
MODEL_CALLS = [
    {
        "model_call_id": "r1:0",
        "reply_id": "r1",
        "agent": "boss",
        "model": "m-large",
        "model_is_requested": True,
        "started_at": at(0.5),
        "ended_at": at(2),
        "status": "completed",
        "ttft_s": 0.25,
        "streamed": True,
        "input_tokens": 300,
        "input_tokens_total": 1000,
        "output_tokens": 20,
        "cache_read_input_tokens": 700,
        "cache_creation_input_tokens": 0,
        "cache_accounting": "exclusive",
    },
    {
        "model_call_id": "r2:0",
        "reply_id": "r2",
        "agent": "helper",
        "model": "m-small",
        "started_at": at(6.5),
        "ended_at": at(7),
        "status": "error",
        "input_tokens": None,
        "input_tokens_total": None,
    },
]
TOOL_CALLS = [
    {
        "tool_call_id": "t1",
        "occurrence": 0,
        "reply_id": "r1",
        "agent": "boss",
        "tool": "delete",
        "kind": "local",
        "called_at": at(1.5),
        "exec_started_at": at(4),
        "ended_at": at(5),
        "state": "error",
        "args_json": '{"path": "a"}',
    },
    {
        "tool_call_id": "t2",
        "occurrence": 0,
        "reply_id": "r1",
        "agent": "boss",
        "tool": "ask_helper",
        "kind": "subagent",
        "called_at": at(1.75),
        "exec_started_at": at(5.5),
        "ended_at": at(8.5),
        "state": "success",
    },
    {
        "tool_call_id": "t3",
        "occurrence": 0,
        "reply_id": "r1",
        "agent": "boss",
        "tool": "format_disk",
        "kind": "local",
        "called_at": at(1.8),
        "exec_started_at": None,
        "ended_at": None,
        "state": "asking",
    },
]
APPROVALS = [
    {
        "tool_call_id": "t1",
        "reply_id": "r1",
        "agent": "boss",
        "tool": "delete",
        "kind": "confirm",
        "asked_at": at(2),
        "decided_at": at(4),
        "wait_s": 2.0,
        "decision": "approved",
        "decided_by": "user",
        "edited": False,
    },
    {
        "tool_call_id": "t3",
        "reply_id": "r1",
        "agent": "boss",
        "tool": "format_disk",
        "kind": "confirm",
        "asked_at": at(2.5),
        "decided_at": None,
        "decision": "pending",
        "decided_by": None,
    },
]
LOG = (REPLIES, MODEL_CALLS, TOOL_CALLS, APPROVALS)
