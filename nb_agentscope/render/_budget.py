"""How much a transcript may hold."""

from __future__ import annotations

from dataclasses import dataclass

from nb_agentscope.render._element import Html, element
from nb_agentscope.render._words import count


@dataclass
class Budget:
    """Limits of one attempt to render; the next attempt gets smaller ones."""

    characters: int | None = None
    """Of one text; None: all."""
    image_bytes: int = 0
    """Of base64 that may still be inlined."""
    lane_blocks: int | None = None
    """Of each sub-agent, the newest ones; None: all."""
    lanes: int | None = None
    """Sub-agents in one place, the newest ones; None: all."""

    def cut(self, text: str) -> tuple[str, Html | None]:
        """The beginning of `text` that fits, and a note if more was there."""
        if self.characters is None or len(text) <= self.characters + 80:
            return text, None
        note = f"… {count(len(text) - self.characters)} more characters are in the log"
        return text[: self.characters], element("p", note, cls="nbas-dim nbas-cut")

    def take_image(self, size: int) -> bool:
        """Whether an image of `size` characters fits; counts it if so."""
        if size > self.image_bytes:
            return False
        self.image_bytes -= size
        return True
