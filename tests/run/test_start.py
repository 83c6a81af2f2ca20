"""start: one live run per cell."""

import pytest

from nb_agentscope.run import AlreadyRunningError, start
from tests.run.fakes import Agent, forever
from tests.run.fakes import start as reply_start


async def test_keep_gives_the_live_run_of_the_cell():
    agent = Agent([reply_start(), forever])
    run = start(agent, "x", owner=agent, cell="one", stop_grace_s=0.01)
    assert start(agent, "x", owner=agent, cell="one", on_rerun="keep") is run
    with pytest.raises(AlreadyRunningError):
        start(agent, "x", owner=agent, cell="two", on_rerun="keep")
    run.stop()
    await run
