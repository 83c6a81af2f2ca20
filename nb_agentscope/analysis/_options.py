"""Kinds of arguments that the functions of tables share."""

from collections.abc import Iterable, Mapping
from datetime import tzinfo
from typing import Any

Columns = Iterable[str] | None
Zone = str | tzinfo | None
Prices = Mapping[str, Mapping[str, Any]] | None
