"""Whatever a wrapped object does, the run ends, its log ends well and can be saved, and nothing is lost."""

import pytest

from nb_agentscope import wrap
from nb_agentscope.stream import EventLog
from tests.run.fakes import end, start, text

CYCLE: dict = {}
CYCLE["again"] = CYCLE
DEEP: list = []
for _ in range(5_000):
    DEEP = [DEEP]
DEEP_ENOUGH: list = []  # every json module writes it, and no log reads it back
for _ in range(230):
    DEEP_ENOUGH = [DEEP_ENOUGH]


class NoRepr:
    def __repr__(self):
        raise ValueError("no repr")


class NoDump:
    def model_dump(self, **_options):
        raise RuntimeError("no dump")


class NoTextError(Exception):
    def __str__(self):
        raise ValueError("no text")


class Odd:
    """Yields `items` in the middle of a reply."""

    def __init__(self, *items):
        self.items = items

    async def reply_stream(self, _inputs):
        yield start()
        for item in self.items:
            if isinstance(item, BaseException):
                raise item
            yield item
        for event in text("hi"):
            yield event
        yield end()


def custom(value):
    return {"type": "CUSTOM", "name": "x", "value": value}


@pytest.mark.parametrize(
    "item",
    [
        None,
        "text",
        object(),
        NoRepr(),
        NoDump(),
        CYCLE,
        {"deep": DEEP},
        custom(CYCLE),
        custom({"deep": DEEP}),
        custom({"deep": DEEP_ENOUGH}),
        custom({"object": NoRepr()}),
        {**custom({}), "metadata": CYCLE},
        {"type": ["CUSTOM"]},
        {1: 2},
    ],
    ids=lambda item: type(item).__name__,
)
async def test_what_is_no_event_is_kept_and_the_rest_goes_on(item, tmp_path):
    run = wrap(Odd(item)).start("go", log_to=tmp_path / "run.jsonl")
    msg = await run
    assert msg.get_text_content() == "hi"
    [kept] = [event for event in run.log if event.type == "CUSTOM" and event.name == "nb_agentscope.unknown"]
    assert kept.value["problem"]
    assert run.progress.other_events == 1
    assert [event.id for event in EventLog.load(tmp_path / "run.jsonl")] == [event.id for event in run.log]
    assert run._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize(
    "error", [NoTextError(), ValueError("\ud83d"), ValueError("x" * 100_000), ExceptionGroup("g", [NoTextError()])]
)
async def test_an_exception_that_cannot_speak_ends_the_run_as_any_other(error, tmp_path):
    run = wrap(Odd(error)).start("go", log_to=tmp_path / "run.jsonl")
    with pytest.raises(type(error)):
        await run
    assert EventLog.load(tmp_path / "run.jsonl").msg.finished_reason == "error"
