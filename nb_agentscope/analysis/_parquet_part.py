"""One file of a Parquet dataset: its name, its columns, how it is written and what it says about itself."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from nb_agentscope.analysis._source import source_of

About = dict[str, Any]
"""schema_version, run, tz_assumed, n_events, n_problems, problems."""

_KEY = b"nb_agentscope"
_UNSAFE = re.compile(r"[^A-Za-z0-9.-]+")
_LONGEST = 80


def part_names(paths: Iterable[Path], folders: Iterable[Path]) -> Iterator[tuple[Path, str, str]]:
    """For each log its file, its run and the name of its part.

    The name is safe whatever the log is called: letters and digits of its own name, and a hash of its path. A run that has a
    part already keeps its name; another gets one that no part has.
    """
    known = {part: about["run"] for folder in folders for part, about in _abouts(folder)}
    taken, seen = set(known.values()), set[str]()
    for path in paths:
        source = source_of(path)
        part = f"{_UNSAFE.sub('_', source.name)[:_LONGEST].lstrip('._') or 'log'}-{_hash(path)}.parquet"
        if part in seen:
            continue
        seen.add(part)
        if part not in known:
            known[part] = _unused(source.name, taken)
            taken.add(known[part])
        yield path, known[part], part


def _hash(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]


def _unused(name: str, taken: set[str]) -> str:
    run, number = name, 1
    while run in taken:
        number += 1
        run = f"{name}#{number}"
    return run


def check_columns(folder: Path, names: list[str]) -> None:
    """See that what is in the folder was written here, with these columns.

    Raises:
        ValueError: It was not, or has others.
    """
    parquet = _pyarrow().parquet
    for path in _parts(folder):
        file = parquet.read_metadata(path)
        if _KEY not in (file.metadata or {}):
            raise ValueError(f"{str(path)!r} was not written by to_parquet; give another folder.")
        found = file.schema.to_arrow_schema().names
        if found != names:
            raise ValueError(
                f"{str(path)!r} has the columns {', '.join(found)}, not {', '.join(names)}; "
                "give columns= as for the logs before, or an empty folder."
            )


def read_about(folder: Path) -> list[About]:
    """What the parts of a table say about themselves."""
    return [about for _, about in _abouts(folder)]


def _abouts(folder: Path) -> Iterator[tuple[str, About]]:
    parquet = _pyarrow().parquet
    for path in _parts(folder):
        yield path.name, json.loads(parquet.read_metadata(path).metadata[_KEY])


def _parts(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.parquet") if path.name[0] not in "._")


def write_part(path: Path, empty: pd.DataFrame, frames: Iterable[pd.DataFrame], about: Callable[[], About]) -> None:
    """Write a part.

    Args:
        path: The file.
        empty: A frame of the same columns without rows.
        frames: The rows, each frame a row group.
        about: Asked for after the last frame.
    """
    pa = _pyarrow()
    schema = _schema(empty)
    with pa.parquet.ParquetWriter(path, schema) as writer:
        for frame in frames:
            writer.write_table(pa.Table.from_pandas(_plain(frame), schema=schema, preserve_index=False))
        writer.add_key_value_metadata({_KEY: json.dumps(about())})


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    objects = [name for name, dtype in frame.dtypes.items() if str(dtype) == "object"]
    return frame.assign(**{str(name): frame[name].map(_json, na_action="ignore") for name in objects})


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)


def _schema(empty: pd.DataFrame) -> Any:
    """Column types that hold for every log, also where a log has no value of a column."""
    pa = _pyarrow()
    schema = pa.Schema.from_pandas(empty, preserve_index=False)
    types = {
        "category": pa.dictionary(pa.int32(), pa.large_string()),
        "string": pa.large_string(),
        "object": pa.large_string(),
    }
    for place, (name, dtype) in enumerate(empty.dtypes.items()):
        if str(dtype) in types:
            schema = schema.set(place, pa.field(name, types[str(dtype)]))
    return schema


def _pyarrow() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("Parquet needs pyarrow; install it with: pip install 'nb-agentscope[parquet]'") from error
    return pyarrow
