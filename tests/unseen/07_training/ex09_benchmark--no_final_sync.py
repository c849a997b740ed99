"""There is no sync before the second look at the clock, and the span includes the warm-up."""
def benchmark(fn, *, sync, clock, warmup, iters):
    if warmup < 0 or iters < 1:
        raise ValueError("warmup must be at least 0 and iters at least 1")
    start = clock()
    for _ in range(warmup):
        fn()
    sync()
    for _ in range(iters):
        fn()
    return float(clock() - start) / iters
