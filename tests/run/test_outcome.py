"""What `await run` gives beside the plain fold, and what it says when an agent fails after its own end."""

import pytest

from nb_agentscope import event as ev
from nb_agentscope.message import ErrorInfo
from nb_agentscope.run import Run
from nb_agentscope.stream import STRUCTURED_KEY, fold
from tests.run.fakes import REPLY, Agent, end, start, types


def ended(metadata):
    return ev.ReplyEndEvent(session_id="s", reply_id=REPLY, metadata=metadata)


def failed():
    error = ErrorInfo(type="upstream", message="The model is away.")
    return ev.ReplyEndEvent(session_id="s", reply_id=REPLY, finished_reason="error", error=error)


async def test_structured_output_comes_with_the_awaited_message_only():
    made = {"answer": {"n": 42}}
    run = Run(Agent([start(), ended({STRUCTURED_KEY: made})]), "x")
    msg = await run
    assert msg.structured_output == made
    assert run.msg.structured_output is None
    assert run.msg == fold(run.log)
    msg.structured_output["answer"]["n"] = 0
    msg.content.append("x")
    assert (await run).structured_output == made
    assert run.msg.content == []


@pytest.mark.parametrize("metadata", [{}, {STRUCTURED_KEY: "text"}, {STRUCTURED_KEY: None}])
async def test_without_an_object_the_message_is_the_fold(metadata):
    run = Run(Agent([start(), ended(metadata)]), "x")
    assert (await run) is run.msg


async def test_an_error_that_the_reply_has_told_is_raised_and_not_noted_again():
    run = Run(Agent([start(), failed(), ConnectionError("The model is away.")]), "x")
    with pytest.raises(ConnectionError, match="away"):
        await run
    assert isinstance(run.error, ConnectionError)
    assert types(run)[-2:] == ["REPLY_START", "REPLY_END"]
    assert run.msg.error.message == "The model is away."


async def test_an_error_after_a_good_end_is_noted():
    run = Run(Agent([start(), end(), ConnectionError("too late")]), "x")
    with pytest.raises(ConnectionError):
        await run
    assert types(run)[-1] == "CUSTOM"
    assert "too late" in run.log[-1].value["text"]
