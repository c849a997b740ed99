"""Training 9 of 15: time code that returns before it has finished.

Difficulty 2 of 5, about 10 minutes.
"""

from collections.abc import Callable


def benchmark(
    fn: Callable[[], object],
    *,
    sync: Callable[[], object],
    clock: Callable[[], float],
    warmup: int,
    iters: int,
) -> float:
    """Return how long one call of fn takes, in the unit of the clock, averaged over many calls.

    GPU calls are asynchronous: fn() may return before its work is done. After sync() it is.

    Arguments:
        fn      the work; its results are ignored
        sync    waits until all work is done (on a GPU torch.cuda.synchronize; on the CPU a function that does
                nothing)
        clock   returns the time (such as time.perf_counter)
        warmup  how many calls come first and are not timed, 0 or more
        iters   how many calls are timed together, 1 or more
        result  a Python float: the timed span divided by the number of calls in it

    The order of calls is graded: the warm-up calls, sync, clock, the timed calls, sync, clock. Nothing else is
    called.

    Example:
        >>> ticks = iter([10.0, 16.0])
        >>> benchmark(lambda: None, sync=lambda: None, clock=lambda: next(ticks), warmup=2, iters=3)
        2.0

    Pitfall:
        Without sync() before the second clock reading, you measure how fast work can be queued.

    For full marks:
        * warmup < 0 or iters < 1: ValueError, before anything is called.
        * An error in fn passes through.
    """
    raise NotImplementedError("07_training/ex09_benchmark: write benchmark()")
