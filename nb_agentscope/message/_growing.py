"""Fields that grow by chunks in time linear in the chunks, and look like plain strings to everyone else."""

from __future__ import annotations

from threading import Lock
from typing import Any, ClassVar, Self, cast

from pydantic import BaseModel, GetJsonSchemaHandler, SerializerFunctionWrapHandler, model_serializer
from pydantic_core import CoreSchema

_JOINING = Lock()


class GrowingField:
    """Data descriptor over an instance's `__dict__` entry that joins pending chunks when it is read."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        if obj is None:
            raise AttributeError(self.name)  # pydantic must not find a class attribute
        obj.join_pending()
        return obj.__dict__[self.name]

    def __set__(self, obj: Any, value: Any) -> None:
        obj.drop_pending()
        obj.__dict__[self.name] = value
        obj.__pydantic_fields_set__.add(self.name)


class Growing(BaseModel):
    """A model with one field that grows by `grow(chunk)`; every public view of the model joins the chunks first.

    `block.text += chunk` copies the text so far each time, so a long reply would cost the square of its length. Chunks are
    kept in a slot, not in a private attribute: pydantic's `==`, copies and pickles look at private attributes and would tell
    a message that was folded from one that was parsed. Only `vars(block)` shows the field without its pending chunks.
    """

    __slots__ = ("_pending",)

    growing_field: ClassVar[str]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Put the descriptor in place once pydantic has made the class."""
        super().__pydantic_init_subclass__(**kwargs)
        if "growing_field" in cls.__dict__:
            setattr(cls, cls.growing_field, GrowingField(cls.growing_field))

    def joined(self, value: str, chunks: list[Any]) -> str:
        """The field's value after `chunks`, all of them, were appended to `value`."""
        return value + "".join(chunks)

    def grow(self, chunk: Any) -> None:
        """Append `chunk` to the growing field; costs the same however long the field is."""
        try:
            self._pending.append(chunk)  # type: ignore[attr-defined]  # a slot, not a field
        except AttributeError:
            object.__setattr__(self, "_pending", [chunk])

    def join_pending(self) -> None:
        """Join what `grow` collected into the field; a reader in another thread may do so while the stream goes on."""
        if not getattr(self, "_pending", None):
            return
        with _JOINING:
            pending: list[Any] = self._pending  # type: ignore[attr-defined]  # a slot, not a field
            count = len(pending)  # what is appended from here on stays pending
            values = self.__dict__
            values[self.growing_field] = self.joined(values[self.growing_field], pending[:count])
            del pending[:count]

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)  # pydantic writes to `__dict__` and passes the descriptor by
        if name == self.growing_field:
            self.drop_pending()

    def drop_pending(self) -> None:
        """Forget what `grow` collected: the field was assigned."""
        object.__setattr__(self, "_pending", None)

    @model_serializer(mode="wrap")
    def _serialize(self, handler: SerializerFunctionWrapHandler) -> Any:
        self.join_pending()
        return handler(self)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /) -> dict[str, Any]:
        """The schema of the fields: to JSON schema the serializer above would otherwise be `Any`."""
        plain = {key: value for key, value in core_schema.items() if key != "serialization"}
        return handler(cast("CoreSchema", plain))

    def __eq__(self, other: object) -> bool:
        self.join_pending()
        if isinstance(other, Growing):
            other.join_pending()
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # mutable, as every message is

    def __copy__(self) -> Self:
        self.join_pending()
        return super().__copy__()

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        self.join_pending()
        return super().__deepcopy__(memo)

    def __getstate__(self) -> dict[Any, Any]:
        self.join_pending()
        return super().__getstate__()

    def __iter__(self) -> Any:
        self.join_pending()
        return super().__iter__()

    def __repr_args__(self) -> Any:
        self.join_pending()
        return super().__repr_args__()
