"""Usage by agent, model, reply, session or time: sums that know what is missing from them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, overload

import pandas as pd

from nb_agentscope.analysis._column import PANDAS_DTYPES
from nb_agentscope.analysis._columns import USAGE
from nb_agentscope.analysis._dask import dask_usage
from nb_agentscope.analysis._options import Prices, Zone
from nb_agentscope.analysis._tables import VISIBLE, tables
from nb_agentscope.analysis._where import Where

if TYPE_CHECKING:
    import dask.dataframe as dd

_GROUPS = {"run": "run", "agent": "agent", "model": "model", "reply": "reply_id", "session": "session_id"}
_BUCKET = re.compile(r"[1-9][0-9]{0,5}(s|min|h|D)")
_SUMS = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "total_tokens",
    "input_tokens_total",
    "input_tokens_uncached",
    "input_cost",
    "output_cost",
    "total_cost",
)
_SHARES = {"ttft_p50_s": ("ttft_s", 0.5), "ttft_p95_s": ("ttft_s", 0.95), "tpot_p50_s": ("tpot_s", 0.5),
           "tpot_p95_s": ("tpot_s", 0.95), "output_tps_p50": ("output_tps", 0.5)}  # fmt: skip
_NEEDED = ["run", "agent", "model", "reply_id", "started_at", "usage_known", "ttft_s", "tpot_s", "output_tps", *_SUMS]


@overload
def usage_df(
    log: Any,
    by: str | Iterable[str] = ("model",),
    *,
    where: Where | None = None,
    strict: bool = False,
    tz: Zone = None,
    prices: Prices = None,
    engine: Literal["pandas"] = "pandas",
) -> pd.DataFrame: ...
@overload
def usage_df(
    log: Any,
    by: str | Iterable[str] = ("model",),
    *,
    where: Where | None = None,
    strict: bool = False,
    tz: Zone = None,
    prices: Prices = None,
    engine: Literal["dask"],
) -> dd.DataFrame: ...
def usage_df(
    log: Any,
    by: str | Iterable[str] = ("model",),
    *,
    where: Where | None = None,
    strict: bool = False,
    tz: Zone = None,
    prices: Prices = None,
    engine: str = "pandas",
) -> Any:
    """Sums and percentiles of model calls by group; unknown values are left out of them, and counted.

    Args:
        log: As `events_df`.
        by: What to group by: "run", "agent", "model", "reply", "session", or a time bucket such as "5min" (s, min, h, D;
            column `bucket` is its start); one or several; `by=()` gives one row.
        where: Which model calls, by columns of `model_calls_df`; hidden ones only if it names `kind`.
        strict: Whether what does not fit is an error.
        tz: Zone of times that name none.
        prices: As in `model_calls_df`.
        engine: As `events_df`.

    Raises:
        ValueError: `by` names no group, or one twice; and as `events_df`.
    """
    keys = [_key(one) for one in ([by] if isinstance(by, str) or not isinstance(by, Iterable) else by)]
    buckets = [key for key in keys if key not in _GROUPS.values()]
    if len(set(keys)) < len(keys) or len(buckets) > 1:
        raise ValueError(f"Usage can be grouped by each thing once, and by one time bucket; got {by!r}.")
    calls = partial(_calls, keys=keys, where=where, strict=strict, tz=tz, prices=prices)
    if engine == "dask":
        return dask_usage(calls, partial(usage_of, keys=keys), log)
    if engine != "pandas":
        raise ValueError(f"The engine can be 'pandas' or 'dask', got {engine!r}.")
    found = calls(log)
    made = usage_of(found, keys)
    made.attrs.update(found.attrs)
    made.attrs["table"] = "usage"
    made.attrs["otel"] = {}
    return made


def _calls(log: Any, *, keys: list[str], where: Where | None, **options: Any) -> pd.DataFrame:
    """The model calls, with the columns to group by."""
    columns = {"model_calls": _NEEDED, "replies": ["run", "reply_id", "session_id"]}
    wanted = {**VISIBLE, **(where or {})}
    found: dict[str, pd.DataFrame] = tables(log, columns, columns=columns, where={"model_calls": wanted}, **options)
    calls = found["model_calls"]
    if "session_id" in keys:
        calls = calls.merge(found["replies"], on=["run", "reply_id"], how="left")
    calls = calls.assign(**{key: calls["started_at"].dt.floor(key) for key in keys if key not in _GROUPS.values()})
    calls.attrs.update(found["model_calls"].attrs)
    return calls


def usage_of(calls: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """The same from rows of the table of model calls; a time bucket is a column of its own, shown as `bucket`."""
    if keys:
        groups = calls.groupby(keys, dropna=False, observed=True, sort=True)
        rows = [(key, _row(group)) for key, group in groups]
    else:
        rows = [((), _row(calls))]
    data = pd.DataFrame([row for _, row in rows], columns=USAGE.names())
    made = data.astype({column.name: PANDAS_DTYPES[column.dtype] for column in USAGE.columns})
    for place, key in reversed(list(enumerate(keys))):
        values = pd.Series([group[place] for group, _ in rows], dtype=calls[key].dtype)
        made.insert(0, key if key in _GROUPS.values() else "bucket", values)
    return made


def _key(by: Any) -> str:
    if isinstance(by, str) and by in _GROUPS:
        return _GROUPS[by]
    if isinstance(by, str) and _BUCKET.fullmatch(by):
        return by
    raise ValueError(
        f"Usage can be grouped by {', '.join(_GROUPS)} or a time bucket such as '5min' or '1h' (s, min, h, D); got {by!r}."
    )


def _row(calls: pd.DataFrame) -> dict[str, Any]:
    return {
        "calls": len(calls),
        "n_unknown": int((~calls["usage_known"]).sum()),
        **{name: calls[name].sum(min_count=1) for name in _SUMS},
        "cache_hit_ratio": _hit_ratio(calls),
        "n_unknown_cost": int(calls["total_cost"].isna().sum()),
        **{name: _share(calls[column], share) for name, (column, share) in _SHARES.items()},
    }


def _hit_ratio(calls: pd.DataFrame) -> Any:
    known = calls[calls["cache_read_input_tokens"].notna() & calls["input_tokens_total"].notna()]
    if (calls["cache_read_input_tokens"] > 0).fillna(False).sum() > (known["cache_read_input_tokens"] > 0).sum():
        return pd.NA  # calls whose accounting the numbers prove are those without cached tokens: alone they would say 0
    total = known["input_tokens_total"].sum()
    return known["cache_read_input_tokens"].sum() / total if total else pd.NA


def _share(values: pd.Series[Any], share: float) -> Any:
    known = values.dropna()
    return known.quantile(share) if len(known) else pd.NA
