"""The agent that the recordings show: it tidies a small folder of sales figures with four tools.

Its model is scripted; the agent, its tools, its permissions and the files are real.
"""

import asyncio
import base64
import csv
from collections.abc import AsyncGenerator
from pathlib import Path

from agentscope.agent import Agent, InjectionConfig
from agentscope.message import Base64Source, DataBlock, TextBlock
from agentscope.tool import FunctionTool, ToolChunk, Toolkit
from chart import bar_chart
from scripted import Call, Part, Say, ScriptedChatModel, Think

SALES = "month,orders,revenue\n" + "\n".join(
    f"2026-{month:02},{orders},{orders * 41}"
    for month, orders in enumerate([118, 124, 131, 127, 149, 162, 158, 141, 173, 188, 214, 251], start=1)
)
STALE = "draft_export_old.csv"


def fill(folder: Path) -> None:
    """Write the files that the agent will find."""
    (folder / "sales_2026.csv").write_text(SALES + "\n")
    (folder / "regions.csv").write_text("region,share\nnorth,0.42\nsouth,0.33\nwest,0.25\n")
    (folder / STALE).write_text("month,orders\n2025-12,\n")


def tools(folder: Path) -> list[FunctionTool]:
    """Three tools that only read, and one that deletes and therefore asks."""

    async def list_files() -> AsyncGenerator[str, None]:
        """List the files of the folder with their sizes."""
        for path in sorted(folder.iterdir()):
            await asyncio.sleep(0.25)
            yield f"{path.stat().st_size:>6} B  {path.name}\n"

    async def read_rows(file: str, last: int = 6) -> AsyncGenerator[str, None]:
        """Read the last rows of a CSV file.

        Args:
            file: Name of the file.
            last: How many rows.
        """
        lines = (folder / file).read_text().splitlines()
        for line in [lines[0], *lines[-last:]]:
            await asyncio.sleep(0.18)
            yield line + "\n"

    async def draw_chart(file: str, column: str) -> ToolChunk:
        """Draw one column of a CSV file as bars.

        Args:
            file: Name of the file.
            column: Name of the column.
        """
        await asyncio.sleep(0.8)
        with (folder / file).open(newline="") as lines:
            values = [float(row[column]) for row in csv.DictReader(lines)]
        data = base64.b64encode(bar_chart(values)).decode("ascii")
        picture = DataBlock(name=f"{column}.png", source=Base64Source(data=data, media_type="image/png"))
        return ToolChunk(content=[TextBlock(text=f"{len(values)} bars, {column} of {file}"), picture])

    async def delete_file(file: str, reason: str) -> str:
        """Delete one file of the folder.

        Args:
            file: Name of the file.
            reason: Why it may go.
        """
        await asyncio.sleep(0.4)
        (folder / file).unlink()
        return f"Deleted {file}."

    readers = [FunctionTool(tool, is_read_only=True) for tool in (list_files, read_rows, draw_chart)]
    return [*readers, FunctionTool(delete_file, is_concurrency_safe=False)]


SCRIPT: list[list[Part]] = [
    [
        Think(
            "The user wants a summary of the sales and a tidy folder. I should first look at what is there and at the "
            "latest figures; both only read, so I can ask for them at the same time."
        ),
        Say("I'll look at the folder and at the latest figures first."),
        Call("call-list", "list_files"),
        Call("call-rows", "read_rows", {"file": "sales_2026.csv", "last": 6}),
    ],
    [
        Say("The figures are complete up to December. A picture says more:"),
        Call("call-chart", "draw_chart", {"file": "sales_2026.csv", "column": "revenue"}),
    ],
    [
        Think(
            "Revenue grew in the last quarter. The draft export is an empty leftover, but deleting is not mine to decide."
        ),
        Say(
            "## Sales in 2026\n\n"
            "- **December** was the best month, with 251 orders.\n"
            "- The last quarter brought *34 %* of the year's revenue.\n"
            "- August was the only weak month of the second half.\n\n"
            "| Quarter | Orders | Revenue |\n"
            "|---------|-------:|--------:|\n"
            "| Q1 | 373 | 15 293 |\n"
            "| Q2 | 438 | 17 958 |\n"
            "| Q3 | 472 | 19 352 |\n"
            "| Q4 | 653 | 26 773 |\n\n"
            "To see it yourself:\n\n"
            "```python\n"
            "import pandas as pd\n\n"
            'sales = pd.read_csv("sales_2026.csv", parse_dates=["month"])\n'
            'sales.resample("QE", on="month").revenue.sum()\n'
            "```\n\n"
            f"`{STALE}` holds one empty row from last year. I would like to delete it:"
        ),
        Call("call-delete", "delete_file", {"file": STALE, "reason": "An empty leftover of last year's export"}),
    ],
    [Say("Done. The folder now holds `sales_2026.csv` and `regions.csv`, and nothing else was touched.")],
]


def desk_agent(folder: Path, *, pace: float = 0.045) -> Agent:
    """A real AgentScope agent at work in `folder`; `pace` is the pause per word in seconds."""
    return Agent(
        name="Friday",
        system_prompt="You keep a folder of sales figures tidy.",
        model=ScriptedChatModel(SCRIPT, pace=pace),
        toolkit=Toolkit(tools=tools(folder)),
        injection_config=InjectionConfig(inject_runtime_state=False),
    )
