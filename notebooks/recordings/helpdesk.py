"""The agent of the runs: it answers letters to a shop. Its tools, their pace and its script are made up."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from paced import Call, Item, Pace, PacedModel, Think

from nb_agentscope import Agent, tool
from nb_agentscope.run import Run
from nb_agentscope.tools import Tool, ToolError

LARGE = Pace(base_s=0.35, input_tps=5_000, output_tps=55)
SMALL = Pace(base_s=0.12, input_tps=20_000, output_tps=150)
_SUBJECTS = ("lamps", "shoes", "books", "toys", "tents", "bicycles", "watches", "plants", "tools", "records")
_RULES = (
    "Broken on arrival: {0} are paid back in full within 30 days, and the customer keeps what is broken.",
    "Sent back: {0} are paid back in full if they are as new, else half of it, after somebody has looked at the parcel.",
    "Late: ask the carrier about {0} first. After ten days without news we send them again, and pay for it ourselves.",
    "Advice: recommend only such {0} as the handbook names, and say what speaks against them.",
)
HANDBOOK = "You answer letters to a shop.\n\n" + "\n".join(
    f"{number}. {rule.format(subject)}"
    for number, (subject, rule) in enumerate(((s, r) for s in _SUBJECTS for r in _RULES), 1)
)

Answer = Callable[[Run, str], None]
"""What somebody answers to a question of the run about the call with this id."""


@dataclass(frozen=True)
class Letter:
    """A letter, what the agent makes of it, and what people answer to its questions."""

    text: str
    turns: Sequence[Sequence[Item]]
    sub_turns: Sequence[Sequence[Item]] = ()
    answers: Sequence[Answer] = ()
    waits_s: Sequence[float] = field(default=())
    """How long the people take, in seconds, for each of the answers."""


def helpdesk(letter: Letter, *, cached: bool, seed: int) -> Agent:
    """The agent for one letter, with or without a cache for prompts."""
    tools = {tool.name: tool for tool in _tools(random.Random(seed))}  # noqa: S311 - pauses are no secret
    small = PacedModel("cedar-small", SMALL, letter.sub_turns, cached=False, seed=seed)
    clerk = Agent("clerk", "You find parcels.", small, tools=[tools.pop("carrier_status")])
    large = PacedModel("cedar-large", LARGE, letter.turns, cached=cached, seed=seed)
    return Agent("helpdesk", HANDBOOK, large, tools=[*tools.values(), clerk.as_tool()])


def _tools(chance: random.Random) -> list[Tool]:
    asked: set[int] = set()

    @tool(read_only=True)
    async def find_order(order: int) -> dict[str, Any]:
        """Look an order up."""
        await asyncio.sleep(chance.uniform(0.08, 0.2))
        return {"order": order, "paid": 40 + order % 60, "sent": "2026-03-02"}

    @tool(read_only=True)
    async def search_handbook(words: str) -> str:
        """Find the rules about something."""
        await asyncio.sleep(chance.uniform(1.4, 3.4))
        return next((line for line in HANDBOOK.splitlines() if words.lower() in line.lower()), "Nothing found.")

    @tool(read_only=True)
    async def carrier_status(order: int) -> str:
        """Ask the carrier where a parcel is."""
        if order not in asked:
            asked.add(order)
            await asyncio.sleep(2.0)
            raise ToolError("The carrier did not answer within 2 seconds.")
        await asyncio.sleep(chance.uniform(0.5, 0.9))
        return "In the depot since Monday; delivery tomorrow."

    @tool
    async def refund(order: int, euros: int) -> str:
        """Pay money back."""
        await asyncio.sleep(chance.uniform(0.3, 0.6))
        return f"Paid back {euros} EUR for order {order}."

    @tool
    async def send_mail(to: str, text: str) -> str:
        """Send a mail."""
        await asyncio.sleep(chance.uniform(0.15, 0.3))
        return f"Sent to the {to}."

    @tool(external=True, read_only=True)
    async def inspect_parcel(order: int) -> str:
        """Somebody in the warehouse opens a parcel and says what is in it."""

    return [find_order, search_handbook, carrier_status, refund, send_mail, inspect_parcel]


# -- what people answer ------------------------------------------------------------------------------------------------


def yes(run: Run, call: str) -> None:
    """Approve once."""
    run.approve(call, by="user")


def always(run: Run, call: str) -> None:
    """Approve, and do not ask again about such calls."""
    rules = next(one.suggested_rules for one in run.pending if one.tool_call_id == call)
    run.approve(call, rules=rules[-1:], by="user")


def worn(run: Run, call: str) -> None:
    """Deny, and say why."""
    run.deny(call, note="The shoes were worn: half of it at most.", by="user")


def looked(run: Run, call: str) -> None:
    """The result of somebody in the warehouse."""
    run.submit_result(call, "One pair of shoes, size 42. The soles are worn.", by="user")


# -- letters -----------------------------------------------------------------------------------------------------------


def letters(*, server_fails: bool) -> list[Letter]:
    """Four letters; `server_fails`: in the middle of the answer to the last one the model's server goes away."""
    gone = [ConnectionError("The model's server closed the connection.")] if server_fails else []
    return [
        Letter(
            "Order 1042: the lamp arrived broken. I want my money back.",
            [
                [
                    Think("I need the order, and what the handbook says about broken lamps."),
                    Call("find_order", {"order": 1042}),
                    Call("search_handbook", {"words": "Broken on arrival: lamps"}),
                ],
                ["The rule is clear: all of it is paid back.", Call("refund", {"order": 1042, "euros": 62})],
                ["I am sorry about your lamp. The 62 EUR are on their way, and you need not send anything back."],
            ],
            answers=[yes],
            waits_s=[6.5],
        ),
        Letter(
            "Where is my order 1077? I have waited for a week.",
            [
                [Call("find_order", {"order": 1077}), Call("clerk", {"task": "Where is the parcel of order 1077?"})],
                [
                    "It comes tomorrow. I tell both.",
                    Call("send_mail", {"to": "customer", "text": "Your parcel comes tomorrow."}),
                ],
                [Call("send_mail", {"to": "carrier", "text": "Please make sure that 1077 is delivered tomorrow."})],
                ["Your parcel is in the carrier's depot and will be delivered tomorrow. Both of you have a mail."],
            ],
            [
                [Think("I ask the carrier."), Call("carrier_status", {"order": 1077})],
                ["No answer, once more.", Call("carrier_status", {"order": 1077})],
                ["The parcel is in the depot since Monday and is delivered tomorrow."],
            ],
            answers=[always],
            waits_s=[3.5],
        ),
        Letter(
            "Order 1103: the shoes do not fit, I have sent them back. Please pay back the 80 EUR.",
            [
                [
                    Think("First the order and the parcel."),
                    Call("find_order", {"order": 1103}),
                    Call("inspect_parcel", {"order": 1103}),
                ],
                [
                    "The parcel is there, so I pay the money back.",
                    Call("refund", {"order": 1103, "euros": 80}),
                ],
                ["Then half of it.", Call("refund", {"order": 1103, "euros": 40})],
                ["Your parcel has arrived. The shoes were worn, so we pay back half of the price: 40 EUR."],
            ],
            answers=[looked, worn, yes],
            waits_s=[9.0, 4.5, 2.0],
        ),
        Letter(
            "Which lamps do you recommend for a tent? And is order 1120 on its way?",
            [
                [
                    Think("Two questions for the handbook and one for the clerk."),
                    Call("search_handbook", {"words": "such lamps"}),
                    Call("search_handbook", {"words": "such tents"}),
                    Call("clerk", {"task": "Is the parcel of order 1120 on its way?"}),
                ],
                [
                    "For a tent the handbook names the small lamps only, and they are not bright. ",
                    *gone,
                    "Your order 1120 is in the depot and comes tomorrow.",
                ],
            ],
            [
                [Call("carrier_status", {"order": 1120})],
                [Call("carrier_status", {"order": 1120})],
                ["It is in the depot and comes tomorrow."],
            ],
        ),
    ]
