"""One reply with given decisions, and what can be compared of two of them."""

from itertools import cycle

from tests.agent.sessions import StreamSession
from tests.agent.world import World

_OWN = {"id", "created_at", "finished_at", "reply_id", "session_id", "block_id"}
"""What differs between two equal replies."""


def plain(value):
    """Without ids and times."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key not in _OWN}
    return [plain(item) for item in value] if isinstance(value, list) else value


def play(made, rounds, decisions, *, reload):
    """Have a reply in which every question gets the next decision; with `reload`, by a new agent after each park.

    Returns:
        Number of parks; and events, context, rules and runs without ids and times.
    """
    world = World(**made)
    try:
        world.script(rounds)
        session, given, parks = StreamSession(world), cycle(decisions), 0
        world.loop.settle()
        while session.status == "waiting":
            parks += 1
            if reload:
                world.reload()
            id = world.oracle.waiting[0]
            call = world.oracle.calls[id]
            confirmed, rules = next(given)
            if call.submitted:
                session.answer(id, "success" if confirmed else "error")
            else:
                session.decide([(id, confirmed, call.name, call.input, rules, None)])
            world.loop.settle()
        state = world.agent.state.model_dump(mode="json")
        events = [plain(event.model_dump(mode="json")) for event in session.events]
        return parks, (events, plain(state["context"]), state["rules"], dict(world.oracle.runs))
    finally:
        world.loop.end()
