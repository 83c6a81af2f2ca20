"""The recorded streams of `tests/vectors`, and the comparison that knows their sentinels."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from nb_agentscope.event import AgentEvent, parse_event

VECTORS = Path(__file__).parent / "vectors"
SENTINELS = {"1999-12-31T23:59:59.000001", "auto-id"}
SCENARIOS = sorted(path.name.removesuffix(".msg.json") for path in VECTORS.glob("*.msg.json"))
WITH_PREFIXES = sorted(path.name.removesuffix(".prefix.jsonl") for path in VECTORS.glob("*.prefix.jsonl"))


class Synthetic(NamedTuple):
    seed: int
    init: dict[str, str]
    events: list[AgentEvent]
    msg: dict[str, Any]


def lines(name: str) -> list[str]:
    text = (VECTORS / name).read_text(encoding="utf-8")
    return text.removesuffix("\n").split("\n")  # not splitlines: JSON text may hold U+2028


def events(scenario: str) -> list[AgentEvent]:
    return [parse_event(line) for line in lines(f"{scenario}.jsonl")]


def messages(scenario: str) -> list[dict[str, Any]]:
    expected = json.loads((VECTORS / f"{scenario}.msg.json").read_text(encoding="utf-8"))
    return expected if isinstance(expected, list) else [expected]


def prefixes(scenario: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(f"{scenario}.prefix.jsonl")]


def synthetic() -> Iterator[Synthetic]:
    for line in lines("synthetic.jsonl"):
        entry = json.loads(line)
        yield Synthetic(entry["seed"], entry["init"], [parse_event(event) for event in entry["events"]], entry["msg"])


def differences(expected: Any, got: Any, at: str = "$") -> list[str]:
    """Where two JSON values differ, key order included; a sentinel in the expected one matches any string."""
    if isinstance(expected, str) and expected in SENTINELS and isinstance(got, str):
        return []
    match expected, got:
        case dict(), dict() if list(expected) == list(got):
            return [line for key in expected for line in differences(expected[key], got[key], f"{at}.{key}")]
        case dict(), dict():
            return [f"{at}: keys {list(expected)} != {list(got)}"]
        case list(), list() if len(expected) == len(got):
            return [
                line
                for i, pair in enumerate(zip(expected, got, strict=True))
                for line in differences(*pair, f"{at}[{i}]")
            ]
    same = type(expected) is type(got) and expected == got
    return [] if same else [f"{at}: {expected!r} != {got!r}"]
