"""What a handler is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Handler = Callable[[Any, Any], None]
"""Changes a message (first argument) as one type of event (second) says; `Any`, for each handler takes its own event class."""
