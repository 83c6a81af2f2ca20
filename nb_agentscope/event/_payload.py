"""The rule of the two data deltas: base64 or a URL."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, model_validator


class DataOrUrl(BaseModel):
    """Mixin that refuses a delta with both payloads or none; an empty string counts as given."""

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        given = [name for name in ("data", "url") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"Exactly one of 'data' and 'url' must be given, got {' and '.join(given) or 'neither'}.")
        return self
