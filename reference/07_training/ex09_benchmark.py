"""Time a function that may return before it has finished."""

from collections.abc import Callable


def benchmark(
    fn: Callable[[], object],
    *,
    sync: Callable[[], object],
    clock: Callable[[], float],
    warmup: int,
    iters: int,
) -> float:
    """Return how long one call of fn takes, in the unit of the clock, averaged over many calls."""
    if warmup < 0 or iters < 1:
        raise ValueError(f"need warmup >= 0 and iters >= 1, got {warmup} and {iters}")
    for _ in range(warmup):
        fn()
    sync()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return (clock() - start) / iters
