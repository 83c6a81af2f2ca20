"""What the functions of tables are to a type checker: the engine says of what kind the frame is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast, overload

import pandas as pd

from nb_agentscope.analysis._options import Columns, Prices, Zone
from nb_agentscope.analysis._where import Where

if TYPE_CHECKING:
    import dask.dataframe as dd


class TableFunction(Protocol):
    """A function that makes a table of logs."""

    @overload
    def __call__(
        self,
        log: Any,
        *,
        columns: Columns = None,
        where: Where | None = None,
        strict: bool = False,
        tz: Zone = None,
        engine: Literal["pandas"] = "pandas",
    ) -> pd.DataFrame: ...
    @overload
    def __call__(
        self,
        log: Any,
        *,
        columns: Columns = None,
        where: Where | None = None,
        strict: bool = False,
        tz: Zone = None,
        engine: Literal["dask"],
    ) -> dd.DataFrame: ...


class PricedTableFunction(Protocol):
    """The same, with prices."""

    @overload
    def __call__(
        self,
        log: Any,
        *,
        columns: Columns = None,
        where: Where | None = None,
        strict: bool = False,
        tz: Zone = None,
        prices: Prices = None,
        engine: Literal["pandas"] = "pandas",
    ) -> pd.DataFrame: ...
    @overload
    def __call__(
        self,
        log: Any,
        *,
        columns: Columns = None,
        where: Where | None = None,
        strict: bool = False,
        tz: Zone = None,
        prices: Prices = None,
        engine: Literal["dask"],
    ) -> dd.DataFrame: ...


def by_engine(function: Callable[..., Any]) -> TableFunction:
    """The function itself."""
    return cast("TableFunction", function)


def by_engine_with_prices(function: Callable[..., Any]) -> PricedTableFunction:
    """The function itself."""
    return cast("PricedTableFunction", function)
