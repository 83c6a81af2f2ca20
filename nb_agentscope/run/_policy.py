"""What decides when a cell waits and there is nobody to click."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from nb_agentscope.run._pending_call import PendingCall

OnNoFrontend = Literal["deny", "raise", "wait"] | Callable[[PendingCall], str | None]

_CHOICES = ("deny", "raise", "wait")


class NoFrontendError(RuntimeError):
    """A cell waits for a person, and no view has appeared where one could answer."""


def checked_policy(policy: OnNoFrontend) -> OnNoFrontend:
    """`policy` itself.

    Raises:
        ValueError: It is none of "deny", "raise", "wait" and no callable.
    """
    if callable(policy) or policy in _CHOICES:
        return policy
    raise ValueError(f'on_no_frontend must be "deny", "raise", "wait" or a callable, got {policy!r}.')


def policy_verdict(policy: OnNoFrontend, call: PendingCall, grace_s: float) -> str | None:
    """What `policy` says on one call: "approve", "deny", or None to go on waiting.

    Raises:
        NoFrontendError: The policy is "raise".
        ValueError: A callable answered with something else.
    """
    if policy == "raise":
        raise NoFrontendError(
            f"{call.name!r} waits for a decision and no view has appeared within {grace_s:g} s; decide with run.approve or "
            "run.deny and await again, or choose another on_no_frontend."
        )
    if not callable(policy):
        return "deny" if policy == "deny" else None
    verdict = policy(call)
    if verdict not in ("approve", "deny", None):
        raise ValueError(f'An on_no_frontend callable must return "approve", "deny" or None, got {verdict!r}.')
    if verdict == "approve" and call.kind == "external":
        raise ValueError(f"on_no_frontend cannot approve {call.name!r}: it waits for a result; use run.submit_result.")
    return verdict


def policy_note(policy: OnNoFrontend, grace_s: float) -> str:
    """Why a policy decided; kept with the decision, and read by the model where it denies."""
    which = '"deny"' if policy == "deny" else "a callable"
    return f"Decided by on_no_frontend ({which}): the cell waited and no notebook view appeared within {grace_s:g} s."


POLICY_REMEDY = (
    "To decide instead of on_no_frontend, display the widget, call run.approve or run.deny, or pass "
    'on_no_frontend="wait" or a callable.'
)
"""How a developer has it otherwise: a note of its own, as the model can do nothing with it."""
