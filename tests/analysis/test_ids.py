"""Ids that come twice are known, however they are kept."""

from hypothesis import given
from hypothesis import strategies as st

from nb_agentscope.analysis import _scan, replies_df
from nb_agentscope.analysis._ids import Hashes, Known, Unique
from tests.analysis.logs import Made

BATCHES = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=3), max_size=5)


@given(BATCHES)
def test_known_ids_are_those_that_were_added(batches):
    known, so_far = Known(), []
    for batch in batches:
        repeats = len(set(batch)) < len(batch) or bool(set(batch) & set(so_far))
        assert known.are_new(batch) is not repeats
        known.add(batch)
        so_far += batch


@given(BATCHES)
def test_hashes_tell_afterwards_whether_an_id_came_twice(batches):
    hashes = Hashes()
    for batch in batches:
        assert hashes.are_new(batch)
        hashes.add(batch)
    ids = [id for batch in batches for id in batch]
    assert hashes.may_repeat() is (len(set(ids)) < len(ids))


def test_where_ids_are_unique_none_is_kept():
    unique = Unique()
    unique.add(["a"])
    assert unique.are_new(["a"])


def test_a_log_is_read_twice_only_if_an_id_comes_twice(monkeypatch):
    kept = []
    scan = _scan.Scan

    def spy(source, tz, ids, *, keep_text):
        kept.append(type(ids))
        return scan(source, tz, ids, keep_text=keep_text)

    monkeypatch.setattr(_scan, "Scan", spy)
    rows = Made().start(0).model(1, "m").text(2, 3).model_end(4, (1, 2, 0, 0)).end(5).rows
    assert replies_df(rows)["n_model_calls"].tolist() == [1]
    assert kept == [Hashes]
    twice = replies_df([*rows, rows[-1]])
    assert kept == [Hashes, Hashes, Known]
    assert [problem["rule"] for problem in twice.attrs["problems"]] == ["duplicate"]
