"""How much a transcript may hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Budget:
    """Limits of one attempt to render; the next attempt gets smaller ones."""

    characters: int | None = None
    """Of one text; None: all."""
    image_bytes: int = 0
    """Of base64 that may still be inlined."""

    def cut(self, text: str) -> tuple[str, int]:
        """The beginning of `text` that fits, and the number of characters that do not."""
        if self.characters is None or len(text) <= self.characters + 80:
            return text, 0
        return text[: self.characters], len(text) - self.characters

    def take_image(self, size: int) -> bool:
        """Whether an image of `size` characters fits; counts it if so."""
        if size > self.image_bytes:
            return False
        self.image_bytes -= size
        return True


def more(count: int) -> str:
    """The note on what was cut."""
    return f"… {count:,} more characters are in the log"
