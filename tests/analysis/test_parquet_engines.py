"""Other engines read the datasets with the values and the types that the tables have."""

import duckdb
import pandas as pd
import polars as pl
import pytest

import nb_agentscope.analysis as analysis
from nb_agentscope.analysis import TABLES, to_parquet
from nb_agentscope.analysis._columns import LOG_TABLES
from tests.analysis.recorded import copy_logs

DUCKDB = {"str": "VARCHAR", "cat": "VARCHAR", "int": "BIGINT", "float": "DOUBLE", "bool": "BOOLEAN", "object": "VARCHAR",
          "time": "TIMESTAMP WITH TIME ZONE"}  # fmt: skip
POLARS = {"str": "String", "cat": "Categorical", "int": "Int64", "float": "Float64", "bool": "Boolean", "object": "String",
          "time": "Datetime(time_unit='us', time_zone='UTC')"}  # fmt: skip


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    copy_logs(folder)
    return folder


@pytest.fixture(scope="module")
def written(runs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    to_parquet(runs, folder)
    return folder


def expected(name, runs):
    """Rows as Python values: None for what is missing."""
    frame = getattr(analysis, f"{name}_df")(runs).sort_values(["run", "seq"], kind="stable")
    plain = [column.name for column in TABLES[name].columns if column.dtype != "object" and column.name in frame]
    return plain, [
        tuple(None if pd.isna(value) else value for value in row) for row in frame[plain].astype(object).to_numpy()
    ]


@pytest.mark.parametrize("name", LOG_TABLES)
def test_duckdb(name, runs, written):
    plain, rows = expected(name, runs)
    with duckdb.connect() as db:
        db.execute("SET TimeZone = 'UTC'")
        found = db.read_parquet(str(written / name / "*.parquet"))
        types = {column.name: DUCKDB[column.dtype] for column in TABLES[name].columns if column.name in found.columns}
        assert dict(zip(found.columns, map(str, found.types), strict=True)) == types
        listed = ", ".join(f'epoch_us("{one}")' if types[one].startswith("TIME") else f'"{one}"' for one in plain)
        got = found.order("run, seq").project(listed).fetchall()
    assert got == [
        tuple(value.value // 1000 if isinstance(value, pd.Timestamp) else value for value in row) for row in rows
    ]


@pytest.mark.parametrize("name", LOG_TABLES)
def test_polars(name, runs, written):
    plain, rows = expected(name, runs)
    found = pl.scan_parquet(written / name / "*.parquet").collect()
    types = {column.name: POLARS[column.dtype] for column in TABLES[name].columns if column.name in found.columns}
    assert {one: str(dtype) for one, dtype in found.schema.items()} == types
    assert found.sort(pl.col("run").cast(pl.String), "seq", maintain_order=True).select(plain).rows() == rows
