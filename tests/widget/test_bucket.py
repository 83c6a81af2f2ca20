"""The bucket keeps every second below the limit, and the line in order."""

from __future__ import annotations

from nb_agentscope.widget._bucket import KERNEL_BUCKET, TokenBucket


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_at_most_burst_plus_rate_in_any_second() -> None:
    clock = Clock()
    bucket = TokenBucket(rate=160, burst=40, clock=clock)
    used: list[float] = []
    for _ in range(5_000):  # everyone wants to send all the time
        used.append(clock.now + bucket.reserve())
        clock.now = max(clock.now, used[-1] - 0.05)
    busiest = max(sum(1 for at in used if start <= at < start + 1.0) for start in used[::50])
    assert 190 <= busiest <= 200


def test_those_who_wait_stand_in_line() -> None:
    clock = Clock()
    bucket = TokenBucket(rate=10, burst=1, clock=clock)
    waits = [bucket.reserve() for _ in range(4)]
    assert waits == [0.0, 0.1, 0.2, 0.3]


def test_a_pause_fills_it_up_to_the_burst_only() -> None:
    clock = Clock()
    bucket = TokenBucket(rate=10, burst=3, clock=clock)
    clock.now = 100.0
    assert [bucket.reserve() for _ in range(4)] == [0.0, 0.0, 0.0, 0.1]


def test_one_bucket_for_the_kernel_below_the_servers_limit() -> None:
    assert KERNEL_BUCKET._burst + KERNEL_BUCKET._rate <= 200
