"""What an import must not do: load what is heavy, patch, start."""

import subprocess
import sys
import textwrap

import pytest

HEAVY = [
    "pandas",
    "numpy",
    "IPython",
    "ipykernel",
    "ipywidgets",
    "anywidget",
    "agentscope",
    "nest_asyncio2",
    "matplotlib",
]


def run(code):
    return subprocess.run([sys.executable, "-W", "error", "-c", textwrap.dedent(code)], capture_output=True, text=True)


@pytest.mark.parametrize(
    "use",
    [
        "import nb_agentscope",
        "from nb_agentscope import EventLog, Msg, ReplayAgent, Run, ScriptedModel, UserMsg, tool, wrap",
        "import nb_agentscope.event, nb_agentscope.interop, nb_agentscope.kernel, nb_agentscope.render",
    ],
)
def test_an_import_loads_nothing_heavy(use):
    done = run(f"{use}\nimport sys; print(*[name for name in {HEAVY} if name in sys.modules])")
    assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", "")


def test_an_import_patches_and_starts_nothing():
    done = run(
        """
        import asyncio, signal, sys, threading, warnings

        def state():
            parts = [asyncio, asyncio.events, asyncio.tasks, asyncio.base_events.BaseEventLoop, asyncio.Task, asyncio.Future]
            patched = {(part.__name__, name): value for part in parts for name, value in vars(part).items()}
            hooks = (sys.excepthook, sys.displayhook, signal.getsignal(signal.SIGINT), warnings.showwarning)
            return patched, hooks, threading.enumerate(), list(warnings.filters)

        before = state()
        import nb_agentscope
        from nb_agentscope import EventLog, ReplayAgent, Run, ScriptedModel, tool, wrap
        import nb_agentscope.kernel
        after = state()
        lazily = {key for key in after[0] if key not in before[0]}
        assert all(after[0][key] is value for key, value in before[0].items()), "asyncio was patched"
        assert not lazily, lazily
        assert after[1:3] == before[1:3]
        """
    )
    assert (done.returncode, done.stderr) == (0, "")
