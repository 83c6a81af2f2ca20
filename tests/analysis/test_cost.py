from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nb_agentscope.analysis._cost import Price, cost, read_prices
from nb_agentscope.analysis._tokens import Tokens, cached_input

PRICE = Price(input=3, output=15, cache_read=0.3, cache_creation=3.75)


def cost_of(tokens, price, accounting=None):
    return cost(tokens, cached_input(tokens, accounting), price)


class TestCost:
    def test_without_a_cache(self):
        # 2,000 * 3 / 1e6 = 0.006; 500 * 15 / 1e6 = 0.0075; together 0.0135 USD.
        assert cost_of(Tokens(2000, 500, 0, 0), PRICE) == pytest.approx((0.006, 0.0075, 0.0135))

    def test_exclusive(self):
        # 1,000 * 3 + 8,000 * 0.3 + 400 * 3.75 = 3,000 + 2,400 + 1,500 = 6,900 by 1e6; 100 * 15 = 1,500 by 1e6.
        found = cost_of(Tokens(1000, 100, 8000, 400), PRICE, "exclusive")
        assert found == pytest.approx((0.0069, 0.0015, 0.0084))

    def test_inclusive(self):
        # The same prompt as an inclusive provider reports it: 1,000 + 8,000 + 400 = 9,400 input tokens.
        found = cost_of(Tokens(9400, 100, 8000, 400), PRICE, "inclusive")
        assert found == pytest.approx((0.0069, 0.0015, 0.0084))

    def test_numbers_that_prove_the_accounting_are_enough(self):
        assert cost_of(Tokens(1000, 100, 8000, 400), PRICE).input_cost == pytest.approx(0.0069)

    def test_an_unknown_accounting_makes_the_input_unknown_and_the_output_not(self):
        found = cost_of(Tokens(1000, 100, 800, 0), PRICE)
        assert found == (None, pytest.approx(0.0015), None)

    def test_no_prices(self):
        assert cost_of(Tokens(1000, 100, 0, 0), None) == (None, None, None)

    def test_a_missing_price_matters_only_if_there_is_something_to_price(self):
        price = Price(input=3, output=15)
        assert cost_of(Tokens(1000, 100, 0, 0), price).input_cost == pytest.approx(0.003)
        assert cost_of(Tokens(1000, 100, 8000, 0), price).input_cost is None
        assert cost_of(Tokens(1000, 0, 0, 0), Price(input=3)) == pytest.approx((0.003, 0, 0.003))
        assert cost_of(Tokens(1000, 1, 0, 0), Price(input=3)) == (pytest.approx(0.003), None, None)

    def test_unknown_usage(self):
        assert cost_of(Tokens(), PRICE, "inclusive") == (None, None, None)

    def test_one_unknown_count(self):
        assert cost_of(Tokens(None, 100, 0, 0), PRICE) == (None, pytest.approx(0.0015), None)
        assert cost_of(Tokens(1000, None, 0, 0), PRICE) == (pytest.approx(0.003), None, None)
        assert cost_of(Tokens(1000, 100, None, 0), PRICE, "exclusive").input_cost is None

    def test_a_refuted_accounting_costs_nothing_known(self):
        assert cost_of(Tokens(300, 10, 400, 0), PRICE, "inclusive").input_cost is None

    @given(*[st.integers(0, 10**6)] * 4, *[st.integers(0, 10**4)] * 4)
    def test_it_is_the_exact_sum_of_tokens_times_prices(
        self, fresh, read, creation, output, p_in, p_out, p_read, p_creation
    ):
        price = Price(p_in / 100, p_out / 100, p_read / 100, p_creation / 100)
        cents = Fraction(fresh * p_in + read * p_read + creation * p_creation, 10**8)
        spent = Fraction(output * p_out, 10**8)
        expected = (float(cents), float(spent), float(cents + spent))
        for tokens, accounting in (
            (Tokens(fresh, output, read, creation), "exclusive"),
            (Tokens(fresh + read + creation, output, read, creation), "inclusive"),
        ):
            assert cost_of(tokens, price, accounting) == pytest.approx(expected)


class TestReadPrices:
    def test_none_and_empty(self):
        assert read_prices(None) == {}
        assert read_prices({}) == {}

    def test_what_is_not_given_is_not_known(self):
        table = {"m": {"input": 3, "accounting": "inclusive"}, "n": {"output": 0, "cache_read": None}}
        assert read_prices(table) == {"m": Price(input=3, accounting="inclusive"), "n": Price(output=0)}

    @pytest.mark.parametrize(
        ("entry", "error", "says"),
        [
            (
                {"inputs": 3},
                ValueError,
                "The prices of 'm' have an unknown name 'inputs'; use input, output, cache_read, cach",
            ),
            ({"input": -1}, ValueError, "The price 'input' of 'm' must be USD per million tokens from 0, got -1."),
            ({"output": "3"}, ValueError, "The price 'output' of 'm' must be USD per million tokens from 0, got '3'."),
            ({"output": True}, ValueError, "got True"),
            ({"input": float("nan")}, ValueError, "got nan"),
            ({"input": float("inf")}, ValueError, "got inf"),
            (
                {"accounting": "both"},
                ValueError,
                "The accounting of 'm' must be 'inclusive' or 'exclusive', got 'both'.",
            ),
            ({"accounting": []}, ValueError, "got []"),
            (3.0, TypeError, "The prices of 'm' must be a mapping such as {'input': 3.0}, got 3.0."),
        ],
    )
    def test_what_cannot_be_used_is_named(self, entry, error, says):
        with pytest.raises(error) as caught:
            read_prices({"m": entry})
        assert says in str(caught.value)
