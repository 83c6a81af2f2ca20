"""The benchmark of tables still runs: what it measures depends on the quietness of the machine, that it counts every event does not."""

import pytest

from benchmarks import frames


@pytest.mark.parametrize("case", [frames.MAIN, frames.EVENTS, frames.READ_JSON])
def test_each_case_sees_every_event_of_a_log_that_is_made(case, tmp_path):
    path = tmp_path / "log.jsonl"
    frames.make_ours(path, 700)
    _, count = frames.CASES[case](path)
    assert count == 700


def test_a_made_log_has_no_problems(tmp_path):
    from nb_agentscope.analysis import tables

    path = tmp_path / "log.jsonl"
    frames.make_ours(path, 3000)
    made = tables(path, frames.MAIN_TABLES)
    assert made["model_calls"]["usage_known"].sum() > 5
    assert [frame.attrs["problems"] for frame in made.values()] == [[], [], []]
