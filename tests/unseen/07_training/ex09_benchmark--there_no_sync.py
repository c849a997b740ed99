"""(a) There is no sync between the warm-up calls and the first clock reading, so warm-up work is timed, too. (b) warmup=0 raises ValueError, although it is allowed."""
from collections.abc import Callable


def benchmark(
    fn: Callable[[], object],
    *,
    sync: Callable[[], object],
    clock: Callable[[], float],
    warmup: int,
    iters: int,
) -> float:
    if warmup < 1 or iters < 1:
        raise ValueError("warmup and iters must be positive")
    for _ in range(warmup):
        fn()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    stop = clock()
    return (stop - start) / iters
