"""Prints the oldest versions that pyproject.toml allows of all that the tables need, and of what tests them, for pip."""

import re
import tomllib
from pathlib import Path

TESTED_BY = ("hypothesis", "pytest", "opentelemetry", "duckdb", "polars")
# Old matplotlib calls what newer releases of this one call deprecated; its own oldest one is of that time, too.
OF_THAT_TIME = ["pyparsing<3.2"]

project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
extras = project["optional-dependencies"]
wanted = [*project["dependencies"], *extras["plots"], *extras["parquet"], *extras["dask"]]
wanted += [one for one in extras["test"] if one.startswith(TESTED_BY)]
print("\n".join([re.sub(r">=", "==", one) for one in wanted] + OF_THAT_TIME))
