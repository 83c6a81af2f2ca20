"""How fast a log becomes tables, beside parsing its lines and nothing else, pandas.read_json and inspect_ai.

    python -m benchmarks.frames                       # 1,000,000 events, about 330 MB; some minutes
    python -m benchmarks.frames --events 100000
    python -m benchmarks.frames --log my.jsonl        # a log of your own

Each measurement is a process of its own: processor seconds without imports and without the end of the process, and the most
memory that the process ever had (imports included). Rounds take turns, so that what else the machine does meets all; the best
counts. `bare parse` reads the lines of the same file and gives each to orjson. pandas.read_json and inspect_ai, far slower, run
once; inspect_ai only if it is installed (`pip install inspect-ai`; it is no extra), on a log of as many events of its own format,
which it needs some minutes to make. Exit status 1 if a goal is missed, or if tables and bare count disagree.
"""

import argparse
import importlib.util
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


def measure(case: str, path: Path) -> Measured:
    """Run one case in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.frames", "--case", case, "--log", str(path)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    return Measured(*json.loads(done.stdout.splitlines()[-1]))


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
    others = [] if options.only_ours else [READ_JSON]
    for case in others:
        show(case, measure(case, path), whole[BARE].seconds)
    if not options.only_ours:
        show_inspect(path, whole[BARE])
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


def show_inspect(path: Path, bare: Measured) -> None:
    if importlib.util.find_spec("inspect_ai") is None:
        print(f"{INSPECT:36}  not installed")
        return
    log = path.with_suffix(".eval")
    run("--make-inspect", log, bare.count)
    show(INSPECT, measure(INSPECT, log), bare.seconds)


def run(what: str, path: Path, count: int) -> None:
    """Make a log in a process of its own: what this process needs counts for those it starts."""
    command = [sys.executable, "-m", "benchmarks.frames", what, "--log", str(path), "--events", str(count)]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000, help="length of the log (default 1,000,000)")
    parser.add_argument("--log", type=Path, help="a log that is there already")
    parser.add_argument("--rounds", type=int, default=3, help="best of so many (default 3)")
    parser.add_argument("--only-ours", action="store_true", help="without pandas.read_json and inspect_ai")
    parser.add_argument("--case", choices=CASES, help=argparse.SUPPRESS)
    parser.add_argument("--make", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--make-inspect", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        one_case(options.case, options.log)
        return 0
    if options.make or options.make_inspect:
        (make_ours if options.make else make_inspect)(options.log, options.events)
        return 0
    print(f"{platform.python_implementation()} {platform.python_version()}; best of {options.rounds}")
    if options.log:
        return compare(options.log, None, options)
    with tempfile.TemporaryDirectory() as folder:
        path, small = Path(folder, "whole.jsonl"), Path(folder, "tenth.jsonl")
        run("--make", path, options.events)
        run("--make", small, options.events // 10)
        return compare(path, small, options)


if __name__ == "__main__":
    sys.exit(main())
