"""Sub-agents in tests: events marked as a lane's, and what a lane has become as JSON."""

from collections.abc import Iterable
from typing import Any

from nb_agentscope.event import AgentEvent
from nb_agentscope.stream import Lane, View


def nested(events: Iterable[AgentEvent], lane: Lane, prefix: str = "n-") -> list[AgentEvent]:
    """The events as those of a sub-agent; ids of events and replies get a prefix, all others stay as they are."""
    out = []
    for event in events:
        changed = {"id": prefix + event.id, "metadata": event.metadata | lane.metadata}
        if event.type != "CUSTOM":
            changed["reply_id"] = prefix + event.reply_id
        out.append(event.model_copy(update=changed))
    return out


def lanes_json(view: View) -> list[dict[str, Any]]:
    """All lanes, as they travel."""
    return [
        {
            **lane._asdict(),
            "msgs": [msg.model_dump(mode="json") for msg in each.msgs],
            "progress": each.progress.model_dump(mode="json"),
        }
        for lane, each in view.lanes.items()
    ]
