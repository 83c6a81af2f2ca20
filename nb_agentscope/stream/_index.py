"""Where the blocks of a list are, so that a delta finds its block without looking at all of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from nb_agentscope.message import Msg

Key = Callable[[Any], Hashable]


class BlockIndex:
    """First position of each key in a list of blocks that others may edit.

    Nothing tells the index of an edit, so it trusts itself only as far as it can check: a hit must still have its key, and before
    it says "not there" it compares the list with what it indexed (by identity, at C speed). What it cannot see is an edit in
    place that gives an earlier block the id of a later one.
    """

    __slots__ = ("_blocks", "_key", "first")

    def __init__(self, key: Key) -> None:
        self._key = key
        self._blocks: list[Any] = []
        self.first: dict[Hashable, int] = {}

    def find(self, blocks: list[Any], key: Hashable) -> Any:
        """The first of `blocks` with this key, or None."""
        position = self.first.get(key)
        if position is not None and position < len(blocks):
            block = blocks[position]
            if self._key(block) == key:
                return block
        if position is not None or self._blocks != blocks:
            self._rebuild(blocks)
            position = self.first.get(key)
        return None if position is None else blocks[position]

    def append(self, blocks: list[Any], block: Any) -> None:
        """Append `block` to `blocks`; an earlier one with the same key stays the first."""
        if len(blocks) != len(self._blocks):
            self._rebuild(blocks)
        self.first.setdefault(self._key(block), len(blocks))
        self._blocks.append(block)
        blocks.append(block)

    def _rebuild(self, blocks: list[Any]) -> None:
        self._blocks = list(blocks)
        self.first = {}
        for position, block in enumerate(blocks):
            self.first.setdefault(self._key(block), position)


def _content_key(block: Any) -> Hashable:
    return block.type, block.id


def _output_key(block: Any) -> Hashable:
    # Chunks join only a payload in base64; a URL with the same id is another element.
    return (block.source.type if block.type == "data" else block.type), block.id


class MsgIndex(BlockIndex):
    """The index of a message's content, with one more for the output of each tool result."""

    __slots__ = ("outputs",)

    def __init__(self) -> None:
        super().__init__(_content_key)
        self.outputs: dict[str, BlockIndex] = {}

    def output(self, tool_call_id: str) -> BlockIndex:
        """The index of one tool result's output."""
        index = self.outputs.get(tool_call_id)
        if index is None:
            index = self.outputs[tool_call_id] = BlockIndex(_output_key)
        return index


def index_of(msg: Msg) -> MsgIndex:
    """The message's index; a message that was parsed, copied or unpickled gets a new one."""
    try:
        return msg._index  # type: ignore[attr-defined, no-any-return]  # a slot, not a field
    except AttributeError:
        index = MsgIndex()
        object.__setattr__(msg, "_index", index)
        return index


def find_block(msg: Msg, kind: str, id: str) -> Any:
    """The first top-level block of this type and id, or None."""
    try:
        index: MsgIndex = msg._index  # type: ignore[attr-defined]  # a slot, not a field
    except AttributeError:
        index = index_of(msg)
    blocks = msg.content
    position = index.first.get((kind, id))
    # The usual case, written out because every delta passes here; `find` would say the same.
    if position is not None and position < len(blocks):
        block = blocks[position]
        if block.id == id and block.type == kind:
            return block
    return index.find(blocks, (kind, id))


def append_block(msg: Msg, block: Any) -> None:
    """Append a top-level block, whether its id is new or not."""
    index_of(msg).append(msg.content, block)
