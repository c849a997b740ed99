"""Visible tests for benchmark: pytest exercises/07_training -k benchmark"""

from ex09_benchmark import benchmark
from torchdojo import assert_same


def test_benchmark_divides_the_span_by_the_timed_calls():
    """From 10 to 18 is 8, and four calls were timed: 2 each."""
    ticks = iter([10.0, 18.0])

    got = benchmark(lambda: None, sync=lambda: None, clock=lambda: next(ticks), warmup=3, iters=4)

    assert_same(got, 2.0)


def test_benchmark_waits_before_both_looks_at_the_clock():
    """Warm up, wait, read the clock, work, wait, read it again."""
    events = []

    benchmark(
        lambda: events.append("fn"),
        sync=lambda: events.append("sync"),
        clock=lambda: events.append("clock") or 0.0,
        warmup=1,
        iters=2,
    )

    assert events == ["fn", "sync", "clock", "fn", "fn", "sync", "clock"]
