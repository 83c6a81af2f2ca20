"""What an agent may be made of: each mistake is told in one sentence before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from nb_agentscope._common import short_repr
from nb_agentscope.agent._state import AgentState
from nb_agentscope.model import ChatModel


def check_names(name: object, system_prompt: object) -> None:
    """A name is text that is not empty, a system prompt is text or None.

    Raises:
        TypeError: One of them is something else.
        ValueError: The name is empty.
    """
    if not isinstance(name, str):
        raise TypeError(f"The name of an agent is text, got {short_repr(name)}.")
    if not name:
        raise ValueError("An agent needs a name, got an empty one.")
    if system_prompt is not None and not isinstance(system_prompt, str):
        raise TypeError(f"system_prompt is text or None, got {short_repr(system_prompt)}.")


def check_count(what: str, number: object, least: int) -> None:
    """A whole number that is large enough.

    Raises:
        TypeError: It is no whole number.
        ValueError: It is too small.
    """
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{what} is a whole number, got {short_repr(number)}.")
    if number < least:
        raise ValueError(f"{what} must be at least {least}, got {number}.")


def check_wait(what: str, seconds: object) -> None:
    """A time to wait.

    Raises:
        TypeError: It is no number.
        ValueError: It is negative, or not finite.
    """
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        raise TypeError(f"{what} is a number of seconds, got {short_repr(seconds)}.")
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"{what} must be a finite number of seconds, not negative, got {seconds}.")


def check_model(model: object) -> None:
    """Something that can be asked.

    Raises:
        TypeError: It cannot.
    """
    if isinstance(model, type):
        raise TypeError(f"A model is an object, got the class {model.__name__}: make one, {model.__name__}(...).")
    if not isinstance(model, ChatModel):
        raise TypeError(f"A model needs a name and a method stream(messages, tools), got {type(model).__name__}.")


def checked_hints(hints: object) -> tuple[Callable[..., Any], ...]:
    """The hints.

    Raises:
        TypeError: They are no list of functions.
    """
    if isinstance(hints, str) or not isinstance(hints, Iterable):
        raise TypeError(f"hints is a list of functions, got {short_repr(hints)}: put a single one into a list.")
    given = tuple(hints)
    for hint in given:
        if not callable(hint):
            raise TypeError(f"A hint is a function of the agent's state, got {short_repr(hint)}.")
    return given


def check_state(state: object) -> None:
    """The memory of an earlier agent.

    Raises:
        TypeError: It is something else.
    """
    if not isinstance(state, AgentState):
        raise TypeError(
            f"state is an AgentState, got {short_repr(state)}: read it with AgentState.model_validate(...)."
        )
