"""A real AgentScope agent, wrapped."""

import asyncio
import hashlib
import json
import sys

import pytest

pytest.importorskip("agentscope")

from agentscope.event import UserConfirmResultEvent
from agentscope.message import Msg as TheirMsg
from agentscope.message import UserMsg as their_user_msg  # noqa: N813 - their factory is a function, too

from nb_agentscope.interop import wrap
from nb_agentscope.interop._agentscope import as_agentscope, is_agentscope, model_name, tool_schemas
from nb_agentscope.message import UserMsg
from nb_agentscope.run import DecisionRefused, Run
from nb_agentscope.stream import EventLog, fold, verify
from tests.agentscope_fixture import PAUSE, make_agent, says, thinks, uses
from tests.run.fakes import assert_ended_well, parked, types, until

ARGS = json.dumps({"path": "a.txt", "text": "grüße"})
HASH = hashlib.sha256("grüße".encode()).hexdigest()


def writer(folder, *more):
    return make_agent(folder, uses("write_file", ARGS), *more)


def assert_reloads(run, path):
    run.log.save(path)
    loaded = EventLog.load(path)
    assert fold(loaded).model_dump_json() == run.msg.model_dump_json()
    assert verify(list(loaded), complete=True) == []


async def test_a_message_in_and_an_answer_out(tmp_path):
    agent = make_agent(tmp_path, [*thinks("hm"), *says("Hel", "lo")])
    run = wrap(agent).start("hi")
    msg = await run
    assert msg.get_text_content() == "Hello"
    assert msg.name == "Friday"
    assert msg.usage.input_tokens > 0
    assert_ended_well(run, "completed")
    assert isinstance(agent.model.calls[0][-1], TheirMsg) or agent.model.calls[0]
    header = run.log[0].value
    assert (header["agent"], header["model"], header["tools"]) == ("Friday", "scripted-model", ["write_file"])
    assert_reloads(run, tmp_path / "log.jsonl")


async def test_approve_writes_the_file(tmp_path):
    agent = writer(tmp_path, says("Done."))
    run = wrap(agent).start(UserMsg("user", "write"))
    await parked(run)
    [call] = run.pending
    assert json.loads(call.input) == json.loads(ARGS)
    assert not (tmp_path / "a.txt").exists()
    run.approve(digest=call.digest, by="user")
    msg = await run
    assert hashlib.sha256((tmp_path / "a.txt").read_bytes()).hexdigest() == HASH
    assert msg.get_text_content() == "Done."
    assert_ended_well(run, "completed")
    assert_reloads(run, tmp_path / "log.jsonl")


async def test_deny_writes_nothing(tmp_path):
    run = wrap(writer(tmp_path, says("Fine."))).start("write")
    await parked(run)
    run.deny(note="no files please")
    msg = await run
    assert not (tmp_path / "a.txt").exists()
    assert [b.state for b in msg.content if b.type == "tool_result"] == ["denied"]
    assert run.progress.decisions["c1"].note == "no files please"
    assert_ended_well(run, "completed")
    assert_reloads(run, tmp_path / "log.jsonl")


async def test_an_edit_is_what_is_written(tmp_path):
    run = wrap(writer(tmp_path, says("Done."))).start("write")
    await parked(run)
    with pytest.raises(DecisionRefused, match="schema"):
        run.approve(input={"path": "a.txt"})
    run.approve(input={"path": "b.txt", "text": "other"})
    await run
    assert (tmp_path / "b.txt").read_text() == "other"
    assert not (tmp_path / "a.txt").exists()


async def test_repaired_arguments_are_those_that_run(tmp_path):
    agent = make_agent(tmp_path, uses("write_file", ARGS[:-3]), says("Done."))
    run = wrap(agent).start("write")
    await parked(run)
    [call] = run.pending
    assert call.repaired
    shown = json.loads(call.input)
    run.approve()
    await run
    assert (tmp_path / shown["path"]).read_text(encoding="utf-8") == shown["text"]


async def test_a_rule_spares_the_next_prompt(tmp_path):
    second = json.dumps({"path": "b.txt", "text": "x"})
    agent = writer(tmp_path, uses("write_file", second, id="c2"), says("Done."))
    run = wrap(agent).start("write")
    await parked(run)
    [call] = run.pending
    run.approve(rules=call.suggested_rules)
    await run
    assert (tmp_path / "b.txt").exists()
    assert types(run).count("REQUIRE_USER_CONFIRM") == 1


async def test_stop_while_it_streams_and_go_on(tmp_path):
    agent = make_agent(tmp_path, [*says("so far"), PAUSE], says("Again."))
    run = wrap(agent).start("hi")
    await until(lambda: "TEXT_BLOCK_DELTA" in types(run))
    run.stop()
    msg = await run
    assert msg.get_text_content() == "so far"
    assert_ended_well(run, "interrupted")
    assert_reloads(run, tmp_path / "log.jsonl")
    again = await wrap(agent).start("again")
    assert again.get_text_content() == "Again."


async def test_stop_while_it_is_parked_and_go_on(tmp_path):
    agent = writer(tmp_path, says("Again."))
    run = wrap(agent).start("write")
    await parked(run)
    run.stop(by="user")
    msg = await run
    assert [b.state for b in msg.content if b.type == "tool_result"] == ["interrupted"]
    assert not (tmp_path / "a.txt").exists()
    assert_ended_well(run, "interrupted")
    assert_reloads(run, tmp_path / "log.jsonl")
    again = await wrap(agent).start("again")
    assert again.get_text_content() == "Again."


async def test_a_model_that_fails(tmp_path):
    run = wrap(make_agent(tmp_path, [*says("so far"), ConnectionError("no route")])).start("hi")
    with pytest.raises(ConnectionError):
        await run
    assert_ended_well(run, "error")
    assert run.msg.get_text_content() == "so far"
    assert run.msg.error.type == "connection"


async def test_one_agent_has_one_live_run_however_often_it_is_wrapped(tmp_path):
    agent = writer(tmp_path)
    run = wrap(agent).start("write")
    await parked(run)
    with pytest.raises(RuntimeError, match="waits for an answer on write_file"):
        wrap(agent).start("again")
    run.stop()
    await run


async def test_their_own_messages_are_taken_too(tmp_path):
    agent = make_agent(tmp_path, says("Hi."))
    run = wrap(agent).start([their_user_msg("me", "hello")])
    await run
    assert run.progress.inputs[0]["content"][0]["text"] == "hello"
    assert run.progress.inputs[0]["name"] == "me"


def test_it_gets_its_own_classes():
    assert type(as_agentscope(UserMsg("u", "x"))) is TheirMsg
    assert [type(m) for m in as_agentscope([UserMsg("u", "x")])] == [TheirMsg]
    assert as_agentscope(None) is None

    async def main():
        from tests.run.fakes import one_approval

        run = Run(one_approval(), "x")
        await parked(run)
        run.deny(note="why")
        await run
        return next(e for e in run.log if e.type == "USER_CONFIRM_RESULT")

    ours = asyncio.run(main())
    theirs = as_agentscope(ours)
    assert type(theirs) is UserConfirmResultEvent
    assert theirs.model_dump(mode="json") == ours.model_dump(mode="json")
    assert theirs.metadata["nb_agentscope.note"] == "why"


def test_what_an_agent_tells_of_itself(tmp_path):
    agent = make_agent(tmp_path)
    assert is_agentscope(agent)
    assert not is_agentscope(object())
    assert model_name(agent) == "scripted-model"
    assert tool_schemas(agent)["write_file"]["required"] == ["path", "text"]
    assert (model_name(object()), tool_schemas(object())) == (None, {})
    assert "agentscope" in sys.modules
