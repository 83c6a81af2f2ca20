"""What binds a decision to exactly the call that was shown."""

from __future__ import annotations

import hashlib
import json


def call_digest(reply_id: str, tool_call_id: str, name: str, input: str) -> str:
    """The sha256 (hex) of the canonical JSON of a call, with the input string that will run.

    A decision that carries it can only be meant for this very call: other arguments, another tool, or the same call of
    another reply give another digest.
    """
    canonical = json.dumps([reply_id, tool_call_id, name, input], separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
