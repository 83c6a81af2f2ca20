"""A few recorded logs: with questions, tools in parallel, answers of people, and what a log lacks."""

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORDED = sorted((ROOT / "notebooks" / "recordings").glob("*.jsonl"))
VECTORS = sorted((ROOT / "tests" / "vectors").glob("hitl_*.jsonl"))
NAMES = [path.stem for path in (*RECORDED, *VECTORS)]


def copy_logs(folder):
    """The logs as files of the folder, sorted by name."""
    return sorted(Path(shutil.copy(path, folder)) for path in (*RECORDED, *VECTORS))
