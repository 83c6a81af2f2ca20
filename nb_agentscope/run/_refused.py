"""A decision that was not taken."""

from __future__ import annotations

from typing import Any


class DecisionRefused(ValueError):  # noqa: N818 - reads as what it is: an answer, not a fault
    """A decision that cannot be taken; its text is one sentence for the person who decided.

    Attributes:
        earlier: The decision that came first, with the keys `decision`, `by` and `at`; None if there is none.
    """

    def __init__(self, reason: str, earlier: dict[str, Any] | None = None) -> None:
        super().__init__(reason)
        self.earlier = earlier
