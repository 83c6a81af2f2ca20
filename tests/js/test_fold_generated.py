"""Law: the TypeScript fold equals Python's, on valid and on broken streams."""

import json
import logging
import warnings

from hypothesis import HealthCheck, given, settings

from nb_agentscope.stream import coalesce, fold_all
from tests.js.node import node_fold
from tests.strategies import any_streams


def dumped(msgs):
    return [json.loads(msg.model_dump_json()) for msg in msgs]


def test_folds_are_equal_in_both_languages(caplog):
    caplog.set_level(logging.ERROR, "nb_agentscope")
    with node_fold() as fold:

        @settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
        @given(any_streams())
        def law(events):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # broken streams are complained about; here only the result counts
                expected = dumped(fold_all(events))
                joined = coalesce(events)
            assert fold.events(events) == expected
            assert fold.events(joined) == expected

        law()
