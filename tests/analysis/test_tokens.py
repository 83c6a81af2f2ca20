import pytest
from hypothesis import given
from hypothesis import strategies as st

from nb_agentscope.analysis._tokens import CachedInput, Tokens, cached_input, read_tokens

counts = st.integers(0, 1000)


class TestReadTokens:
    def test_known(self):
        tokens, problem = read_tokens(100, 20, 30, 5)
        assert tokens == (100, 20, 30, 5)
        assert tokens.known
        assert tokens.total == 120  # 100 + 20
        assert problem is None

    @pytest.mark.parametrize("cached", [(), (0, 0), (7, 0)])
    def test_zero_and_zero_mean_that_nothing_is_known(self, cached):
        tokens, problem = read_tokens(0, 0, *cached)
        assert tokens == (None, None, None, None)
        assert not tokens.known
        assert tokens.total is None
        assert problem is None

    @pytest.mark.parametrize(("input", "output"), [(0, 3), (3, 0)])
    def test_one_zero_is_a_zero(self, input, output):
        tokens, _ = read_tokens(input, output)
        assert tokens == (input, output, 0, 0)
        assert tokens.known

    @pytest.mark.parametrize("bad", [-1, 1.5, "12", True, float("nan"), float("inf"), [], 2**63])
    def test_what_is_no_count_is_not_known_and_named(self, bad):
        tokens, problem = read_tokens(bad, 20)
        assert tokens == (None, 20, 0, 0)
        assert tokens.known
        assert tokens.total is None
        assert problem == f"No count of tokens: input={bad!r}."

    def test_all_bad_ones_are_named_and_cut(self):
        _, problem = read_tokens(10, "x" * 100, -1)
        assert problem == f"No count of tokens: output='{'x' * 39}, cache_read=-1."

    def test_a_missing_number_is_no_problem(self):
        assert read_tokens(None, 5, None, None) == ((None, 5, None, None), None)

    def test_whole_floats_are_counts(self):
        tokens, problem = read_tokens(10.0, 2)
        assert tokens == (10, 2, 0, 0)
        assert type(tokens.input) is int
        assert problem is None


class TestCachedInput:
    def test_inclusive(self):
        # 1000 reported, 600 of them read and 100 written: 300 at the plain price; 600 of 1000 hit.
        assert cached_input(Tokens(1000, 1, 600, 100), "inclusive") == ("inclusive", 1000, 300, 0.6, None)

    def test_exclusive(self):
        # 300 reported, and 600 read and 100 written besides: 1000 in all.
        assert cached_input(Tokens(300, 1, 600, 100), "exclusive") == ("exclusive", 1000, 300, 0.6, None)

    @pytest.mark.parametrize(("read", "creation"), [(301, 0), (0, 301), (200, 101)])
    def test_more_cached_than_input_proves_exclusive(self, read, creation):
        found = cached_input(Tokens(300, 1, read, creation))
        assert found == ("exclusive", 601, 300, read / 601, None)

    @pytest.mark.parametrize("declared", [None, "unknown"])
    @pytest.mark.parametrize(("read", "creation"), [(300, 0), (1, 0), (0, 1), (200, 100)])
    def test_cached_tokens_that_may_be_in_the_input_prove_nothing(self, declared, read, creation):
        assert cached_input(Tokens(300, 1, read, creation), declared) == ("unknown", None, None, None, None)

    @pytest.mark.parametrize("declared", [None, "inclusive", "exclusive"])
    def test_without_cached_tokens_both_readings_agree(self, declared):
        assert cached_input(Tokens(300, 1, 0, 0), declared) == (declared or "unknown", 300, 300, 0, None)

    def test_no_input_has_no_ratio(self):
        assert cached_input(Tokens(0, 5, 0, 0)) == ("unknown", 0, 0, None, None)

    def test_an_inclusive_accounting_that_the_numbers_refute(self):
        found = cached_input(Tokens(300, 1, 400, 0), "inclusive")
        assert found[:4] == ("inclusive", None, None, None)
        assert found.problem == "400 cached tokens cannot be part of 300 input tokens: the accounting is not inclusive."

    @pytest.mark.parametrize("declared", [None, "inclusive", "exclusive"])
    def test_nothing_is_known_of_a_call_without_usage(self, declared):
        assert cached_input(Tokens(), declared) == (declared or "unknown", None, None, None, None)

    def test_cached_tokens_that_are_not_known(self):
        # An inclusive input is all input whatever the cache did; an exclusive one is what no cache served.
        assert cached_input(Tokens(300, 1, None, 0), "inclusive") == ("inclusive", 300, None, None, None)
        assert cached_input(Tokens(300, 1, 50, None), "inclusive") == ("inclusive", 300, None, 50 / 300, None)
        assert cached_input(Tokens(300, 1, None, 0), "exclusive") == ("exclusive", None, 300, None, None)
        assert cached_input(Tokens(300, 1, None, None)) == ("unknown", None, None, None, None)

    @given(counts, counts, counts)
    def test_a_provider_of_either_kind_is_read_right(self, uncached, read, creation):
        """Oracle: make the numbers as each provider would report them, and read them back."""
        total = uncached + read + creation
        ratio = read / total if total else None
        inclusive = cached_input(Tokens(total, 1, read, creation), "inclusive")
        exclusive = cached_input(Tokens(uncached, 1, read, creation), "exclusive")
        assert inclusive == CachedInput("inclusive", total, uncached, ratio)
        assert exclusive == CachedInput("exclusive", total, uncached, ratio)

    @given(counts, counts, counts)
    def test_a_guess_is_right_or_no_guess(self, uncached, read, creation):
        total = uncached + read + creation
        for reported in (total, uncached):
            found = cached_input(Tokens(reported, 1, read, creation))
            assert found.total in (total, None)
            assert found.uncached in (uncached, None)
