"""Where our agent does otherwise than the recorded one, line by line, and why."""

_CLOSED = "A reply that has begun always ends well: its open blocks, its model call, then exactly one REPLY_END."
_MODEL_CUT = (
    "+ MODEL_CALL_END cache_creation_input_tokens=0 cache_input_tokens=0 finished_reason=interrupted input_tokens=0 "
    "output_tokens=0 reply_id=r0"
)
_FAILED = (
    '+ REPLY_END error={"type": "unknown", "message": "RuntimeError: socket closed"} finished_reason=error reply_id=r0'
)

_BEGUN = "A tool that was running when it was stopped may still take effect; views say so, AgentScope does not tell."
_CITY = '{"nb_agentscope.structured_output": {"name": "Berlin", "people": 3700000}}'
_OUTPUT = "The output travels in the log, so that a saved run has it; AgentScope gives it with the final Msg alone."

# Scenario -> (`- ` recorded only or `+ ` ours only, why).
DIFFERENCES: dict[str, list[tuple[str, str]]] = {
    "cancel_during_tool": [
        ("- TOOL_RESULT_END reply_id=r0 state=interrupted tool_call_id=c1", _BEGUN),
        (
            '+ TOOL_RESULT_END metadata={"nb_agentscope.begun": true} reply_id=r0 state=interrupted tool_call_id=c1',
            _BEGUN,
        ),
    ],
    "model_error": [
        ("+ TEXT_BLOCK_END block_id=b1 reply_id=r0", _CLOSED),
        (_MODEL_CUT, _CLOSED),
        (_FAILED, _CLOSED),
    ],
    "service_resume": [
        (
            "- REPLY_START name=Friday reply_id=r0 role=assistant",
            "AgentScope's web service sends it before it resumes an agent; an agent itself does not, recorded or ours.",
        )
    ],
    "structured_output": [
        ("- REPLY_END finished_reason=completed reply_id=r0", _OUTPUT),
        (f"+ REPLY_END finished_reason=completed metadata={_CITY} reply_id=r0", _OUTPUT),
    ],
}

# What only the model gets to see after the conversation: (scenario, number of the call from 0) -> a word of each.
HINTS_BESIDE_THE_STREAM: dict[tuple[str, int], list[str]] = {("max_iters", 2): ["rounds"]}
