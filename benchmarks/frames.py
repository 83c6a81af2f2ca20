"""How fast a log becomes tables, beside parsing its lines and nothing else, pandas.read_json and inspect_ai.

    python -m benchmarks.frames                       # 1,000,000 events, about 330 MB; some minutes
    python -m benchmarks.frames --events 100000
    python -m benchmarks.frames --log my.jsonl        # a log of your own

Each measurement is a process of its own: processor seconds without imports and without the end of the process, and the most
memory that the process ever had (imports included). Rounds take turns, so that what else the machine does meets all; the best
counts. `bare parse` reads the lines of the same file and gives each to orjson. pandas.read_json and inspect_ai, far slower, run
once. inspect_ai has a format of its own, without deltas: it gets as many events, nearly all of them the smallest it knows, and
makes its default columns. It is no extra, because it needs so much else; `--inspect-python` names a Python that has it.
Exit status 1 if a goal is missed, or if not every case saw every event.
"""

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

MAIN_TABLES = ["replies", "model_calls", "tool_calls"]


def bare(path: Path) -> tuple[float, int]:
    import orjson

    begun = time.process_time()
    count = 0
    with path.open("rb") as file:
        for line in file:
            orjson.loads(line)
            count += 1
    return time.process_time() - begun, count


def main_tables(path: Path) -> tuple[float, int]:
    from nb_agentscope.analysis import tables

    begun = time.process_time()
    made = tables(path, MAIN_TABLES)
    return time.process_time() - begun, made["replies"].attrs["n_events"]


def events(path: Path) -> tuple[float, int]:
    """All columns, also those that must be asked for."""
    from nb_agentscope.analysis import TABLES, events_df

    begun = time.process_time()
    made = events_df(path, columns=TABLES["events"].names(opt_in=True))
    return time.process_time() - begun, len(made)


def read_json(path: Path) -> tuple[float, int]:
    import pandas as pd

    begun = time.process_time()
    made = pd.read_json(path, lines=True)
    return time.process_time() - begun, len(made)


def inspect_events(path: Path) -> tuple[float, int]:
    from inspect_ai.analysis import events_df

    begun = time.process_time()
    made = events_df(str(path))
    return time.process_time() - begun, len(made)


def make_ours(path: Path, count: int) -> None:
    from benchmarks._made_log import write

    write(path, count)


def make_inspect(path: Path, count: int) -> None:
    from benchmarks._made_inspect_log import write

    write(path, count)


MAKERS = {"ours": make_ours, "inspect": make_inspect}
CASES: dict[str, Callable[[Path], tuple[float, int]]] = {
    "bare parse": bare,
    "replies, model_calls, tool_calls": main_tables,
    "events_df, all columns": events,
    "pandas.read_json": read_json,
    "inspect_ai events_df": inspect_events,
}
BARE, MAIN, EVENTS, READ_JSON, INSPECT = CASES


class Measured(NamedTuple):
    seconds: float
    mb: float
    count: int


class Goal(NamedTuple):
    name: str
    reached: float
    most: float
    unit: str


def run(*arguments: str, python: str = sys.executable) -> str:
    """Run this file in a process of its own: what this one needs would count for those it starts."""
    command = [python, "-m", "benchmarks.frames", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]).stdout


def measure(case: str, path: Path, python: str = sys.executable) -> Measured:
    return Measured(*json.loads(run("--case", case, "--log", str(path), python=python).splitlines()[-1]))


def one_case(case: str, path: Path) -> None:
    seconds, count = CASES[case](path)
    unit = 1 if sys.platform == "darwin" else 1024
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, count]))


def best(cases: list[str], path: Path, rounds: int) -> dict[str, Measured]:
    """Least seconds and most memory of each case; the cases take turns."""
    found: dict[str, list[Measured]] = {case: [] for case in cases}
    for _ in range(rounds):
        for case in cases:
            found[case].append(measure(case, path))
    return {
        case: Measured(min(one.seconds for one in all), max(one.mb for one in all), all[0].count)
        for case, all in found.items()
    }


def show(case: str, one: Measured, bare_seconds: float) -> None:
    factor = f"{one.seconds / bare_seconds:8.2f}x"
    print(f"{case:36}{one.seconds:9.2f} s{factor}{one.mb:9.0f} MB{one.count:12,}", flush=True)


def goals(whole: dict[str, Measured], tenth: dict[str, Measured] | None) -> list[Goal]:
    seconds = whole[BARE].seconds
    found = [
        Goal(f"{MAIN}: times the bare parse", whole[MAIN].seconds / seconds, 3, "x"),
        Goal(f"{MAIN}: memory", whole[MAIN].mb, 600, " MB"),
        Goal(f"{EVENTS}: times the bare parse", whole[EVENTS].seconds / seconds, 8, "x"),
    ]
    if tenth is not None:
        for case in (MAIN, EVENTS):
            growth = whole[case].seconds / tenth[case].seconds
            found.append(Goal(f"{case}: growth from a tenth of the events", growth, 11, "x"))
    return found


def counts_agree(found: dict[str, Measured]) -> bool:
    return len({found[case].count for case in (BARE, MAIN, EVENTS)}) == 1


def compare(path: Path, small: Path | None, options: Any) -> int:
    ours = [BARE, MAIN, EVENTS]
    print(f"{'':36}{'processor':>11}{'to bare':>9}{'peak memory':>12}{'events':>12}")
    whole = best(ours, path, options.rounds)
    for case, one in whole.items():
        show(case, one, whole[BARE].seconds)
    if not options.only_ours:
        show(READ_JSON, measure(READ_JSON, path), whole[BARE].seconds)
        show_inspect(path, whole[BARE], options.inspect_python)
    tenth = None if small is None else best(ours, small, options.rounds + 2)
    missed = 0
    for goal in goals(whole, tenth):
        met = goal.reached <= goal.most
        missed += not met
        print(
            f"{'met   ' if met else 'MISSED'} {goal.name}: {goal.reached:.2f}{goal.unit}, at most {goal.most}{goal.unit}"
        )
    if not counts_agree(whole):
        missed += 1
        print("MISSED Not every case saw every event.")
    return 1 if missed else 0


def show_inspect(path: Path, bare: Measured, python: str) -> None:
    if subprocess.run([python, "-c", "import inspect_ai"], capture_output=True, check=False).returncode:
        print(f"{INSPECT:36}  not installed for {python}; see --help")
        return
    log = path.with_suffix(".eval")
    run("--make", "inspect", "--log", str(log), "--events", str(bare.count), python=python)
    show(INSPECT, measure(INSPECT, log, python), bare.seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000, help="length of the log (default 1,000,000)")
    parser.add_argument("--log", type=Path, help="a log that is there already")
    parser.add_argument("--rounds", type=int, default=3, help="best of so many (default 3)")
    parser.add_argument("--only-ours", action="store_true", help="without pandas.read_json and inspect_ai")
    parser.add_argument("--case", choices=CASES, help=argparse.SUPPRESS)
    parser.add_argument("--inspect-python", default=sys.executable, help="a Python that has inspect_ai (default: this)")
    parser.add_argument("--make", choices=MAKERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        one_case(options.case, options.log)
        return 0
    if options.make:
        MAKERS[options.make](options.log, options.events)
        return 0
    print(f"{platform.python_implementation()} {platform.python_version()}; best of {options.rounds}")
    if options.log:
        return compare(options.log, None, options)
    with tempfile.TemporaryDirectory() as folder:
        path, small = Path(folder, "whole.jsonl"), Path(folder, "tenth.jsonl")
        run("--make", "ours", "--log", str(path), "--events", str(options.events))
        run("--make", "ours", "--log", str(small), "--events", str(options.events // 10))
        return compare(path, small, options)


if __name__ == "__main__":
    sys.exit(main())
