"""What the browser sent, as one of the messages of the protocol, or one sentence why it is none."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import TypeAdapter, ValidationError

from nb_agentscope._common import first_problem
from nb_agentscope.widget._protocol import VERSION, ClientMessage

_CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)


class BadMessageError(ValueError):
    """A message of the browser that cannot be understood; `id` is its request id, or ""."""

    def __init__(self, sentence: str, id: str) -> None:
        super().__init__(sentence)
        self.id = id


def parse_client(content: object) -> ClientMessage:
    """Make the message that the browser sent.

    Raises:
        BadMessageError: It is none of the known messages; one sentence says why.
    """
    try:
        return _CLIENT.validate_python(content)
    except ValidationError as error:
        raise BadMessageError(_sentence(content, error), _request_id(content)) from error


def _request_id(content: object) -> str:
    id = content.get("id") if isinstance(content, Mapping) else None
    return id if isinstance(id, str) and len(id) <= 200 else ""


def _sentence(content: object, error: ValidationError) -> str:
    version = content.get("v", VERSION) if isinstance(content, Mapping) else VERSION
    if version != VERSION:
        return f"The page speaks version {version!r:.40} and the kernel version {VERSION}; reload the page and re-run the cell."
    unknown = error.errors(include_url=False)[0]["type"].startswith("union_tag")
    if unknown or not isinstance(content, Mapping):
        got = content.get("type") if isinstance(content, Mapping) else content
        return f"A message needs a type of hello, sync, decide, result, shown, stop or fetch, got {got!r:.80}."
    return f"The message {content.get('type')!r:.40} is wrong at {first_problem(error, skip=1)}; reload the page."
