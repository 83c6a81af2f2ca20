"""The schema from which the page's types are made, and the numbers in it."""

from __future__ import annotations

from nb_agentscope.widget._protocol import Wire, seconds


def test_schema_has_every_message_and_event() -> None:
    names = set(Wire.model_json_schema(mode="serialization")["$defs"])
    assert {
        "Hello",
        "Sync",
        "Decide",
        "Result",
        "Shown",
        "Stop",
        "Fetch",
        "Snapshot",
        "Batch",
        "Ack",
        "Refused",
        "Final",
    } <= names
    assert sum(name.endswith("Event") for name in names) == 28


def test_seconds_are_json_numbers() -> None:
    assert [seconds(value) for value in (1.23456, -1.0, float("nan"), float("inf"))] == [1.235, 0.0, 0.0, 0.0]
