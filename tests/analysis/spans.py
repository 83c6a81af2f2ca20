"""Intervals on a small grid of whole seconds, where everything can be counted tick by tick."""

from hypothesis import strategies as st

from nb_agentscope.analysis._intervals import PRIORITY, Interval

GRID = 16


def ticks(interval):
    """The seconds that the interval covers."""
    return set(range(int(interval.start), int(interval.end)))


def intervals(max_size=8, kinds=PRIORITY):
    """Lists of intervals, among them nested, touching, equal, empty and backward ones."""
    times = st.integers(0, GRID)
    return st.lists(st.builds(Interval, st.sampled_from(kinds), times, times), max_size=max_size)


class Counted(float):
    """A number that counts how often it is compared."""

    comparisons = 0

    def __lt__(self, other):
        Counted.comparisons += 1
        return float.__lt__(self, other)

    def __gt__(self, other):
        Counted.comparisons += 1
        return float.__gt__(self, other)

    def __le__(self, other):
        Counted.comparisons += 1
        return float.__le__(self, other)

    def __ge__(self, other):
        Counted.comparisons += 1
        return float.__ge__(self, other)


def comparisons(function, n):
    """Comparisons of times that `function` needs for n long, interleaved intervals and an end."""
    many = [Interval("tool", Counted((i * 7919) % n), Counted((i * 7919) % n + 1 + i % 50)) for i in range(n)]
    Counted.comparisons = 0
    function(many, Counted(n + 100))
    return Counted.comparisons
