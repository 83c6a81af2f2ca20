"""Who is told of calls of watched models."""

import asyncio
from types import SimpleNamespace

from nb_agentscope.stream import MODEL_CALL_NAME, begin_call, calls_of, listen


def in_context(function):
    async def main():
        return function()

    return asyncio.run(main())  # a task has a context of its own


def test_without_a_listener_there_is_no_call():
    def body():
        with calls_of("r1", "hidden", [].append):
            return begin_call("m")

    assert in_context(body) is None


def test_a_call_is_told_once_when_it_ends():
    told = []

    def body():
        listen(told.append)
        call = begin_call("m")
        assert told == []
        call.end(SimpleNamespace(input_tokens=3, output_tokens=True, cache_input_tokens="x"))
        call.end(error=ValueError("again"))

    in_context(body)
    [event] = told
    value = event.value
    assert event.name == MODEL_CALL_NAME
    assert [value[key] for key in ("model", "reply_id", "kind", "status", "error")] == [
        "m",
        None,
        None,
        "completed",
        None,
    ]
    assert value["tokens"] == {
        "input_tokens": 3, "output_tokens": None, "cache_input_tokens": None, "cache_creation_input_tokens": None
    }  # fmt: skip
    assert value["started"]["mono"] <= value["ended"]["mono"]
    assert value["started"]["at"] <= value["ended"]["at"]
    assert value["ended"]["at"].endswith("+00:00")


def test_failed_and_stopped_calls():
    told = []

    def body():
        listen(told.append)
        begin_call("m").end(error=KeyError("k"))
        begin_call("m").end(interrupted=True)

    in_context(body)
    assert [(e.value["status"], e.value["error"], e.value["tokens"]) for e in told] == [
        ("error", "KeyError", None),
        ("interrupted", None, None),
    ]


def test_calls_of_a_reply_may_have_another_listener():
    outer, inner = [], []

    def body():
        listen(outer.append)
        with calls_of("r1", "hidden"):
            begin_call("a").end()
            with calls_of("r2", "visible", inner.append):
                call = begin_call("b")
        begin_call("c").end()
        call.end()  # whoever listened when it began

    in_context(body)
    assert [(e.value["model"], e.value["reply_id"], e.value["kind"]) for e in outer] == [
        ("a", "r1", "hidden"),
        ("c", None, None),
    ]
    assert [(e.value["model"], e.value["reply_id"], e.value["kind"]) for e in inner] == [("b", "r2", "visible")]
