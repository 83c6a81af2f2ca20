"""What a fold says about events that it cannot apply; it never raises, and keeps what it has.

An event for something unknown is common (a late confirmation, a reader that came late) and goes to the log of this package, as in
AgentScope. Bad data is lost for good, so it is a `UserWarning`, which a notebook shows without any set-up.
"""

from __future__ import annotations

import logging
import warnings
from typing import Any

from nb_agentscope.message import Msg

logger = logging.getLogger("nb_agentscope")


def unknown_block(event: Any, what: str, id: str) -> None:
    """Log that `event` is about a block that the message does not have."""
    logger.warning("%s for unknown %s %r skipped; the block's START event is missing.", event.type, what, id)


def other_reply(event: Any, msg: Msg) -> None:
    """Log that `event` belongs to another reply."""
    logger.warning("%s of reply %r skipped; the message is reply %r.", event.type, event.reply_id, msg.id)


def no_reply(event: Any) -> None:
    """Log that `event` came before any reply."""
    logger.warning("%s skipped: no reply has started; a stream begins with REPLY_START.", event.type)


def bad_data(event: Any, id: str, why: str) -> None:
    """Warn that the payload of `event` could not be used."""
    warnings.warn(
        f"{event.type} {event.id!r} not applied to data block {id!r}, which stays as it was: {why}.",
        UserWarning,
        stacklevel=5,
    )
