"""sync is called inside the warm-up loop, after each warm-up call: never with warmup=0, and several times with warmup > 1, instead of once before the first look at the clock."""
from collections.abc import Callable


def benchmark(
    fn: Callable[[], object],
    *,
    sync: Callable[[], object],
    clock: Callable[[], float],
    warmup: int,
    iters: int,
) -> float:
    if warmup < 0 or iters < 1:
        raise ValueError("warmup must be at least 0 and iters at least 1")
    for _ in range(warmup):
        fn()
        sync()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    stop = clock()
    return float((stop - start) / iters)
