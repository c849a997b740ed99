"""Known mistakes and odd-but-correct solutions for benchmark."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Draw a line for the time and mark on it: calls, waiting, looks at the clock. Which marks come "
    "between the two looks?",
    "Work that was ordered before the first look must be done by then, and work that was ordered between "
    "the looks must be done by the second.",
    "Check the two numbers. Warm up, wait, look; call fn iters times, wait, look. By what do you divide "
    "the difference?",
)


def checked(warmup, iters):
    """ValueError for numbers that make no sense."""
    if warmup < 0 or iters < 1:
        raise ValueError("warmup must be at least 0 and iters at least 1")


@mistake("benchmark", common=True)
def never_waits(fn, *, sync, clock, warmup, iters):
    """You read the clock while work was still running: wait before both readings."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    start = clock()
    for _ in range(iters):
        fn()
    return (clock() - start) / iters


@mistake("benchmark")
def does_not_wait_at_the_start(fn, *, sync, clock, warmup, iters):
    """The clock started while the warm-up was still running: wait before the first reading."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return (clock() - start) / iters


@mistake("benchmark")
def does_not_wait_at_the_end(fn, *, sync, clock, warmup, iters):
    """You stopped the clock before the work was done, so you timed only how fast calls are queued: wait before
    the second reading."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    sync()
    start = clock()
    for _ in range(iters):
        fn()
    return (clock() - start) / iters


@mistake("benchmark")
def waits_after_the_clock(fn, *, sync, clock, warmup, iters):
    """You read the clock first and waited afterward: wait, then read it."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    start = clock()
    sync()
    for _ in range(iters):
        fn()
    stop = clock()
    sync()
    return (stop - start) / iters


@mistake("benchmark")
def waits_before_the_warm_up(fn, *, sync, clock, warmup, iters):
    """You waited before the warm-up instead of after it, so its work reaches into the timed span."""
    checked(warmup, iters)
    sync()
    for _ in range(warmup):
        fn()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return (clock() - start) / iters


@mistake("benchmark")
def times_the_warm_up(fn, *, sync, clock, warmup, iters):
    """The warm-up was timed too: start the clock after it."""
    checked(warmup, iters)
    sync()
    start = clock()
    for _ in range(warmup + iters):
        fn()
    sync()
    return (clock() - start) / iters


@mistake("benchmark")
def divides_by_all_calls(fn, *, sync, clock, warmup, iters):
    """You also divide by the warm-up calls, which are not timed: divide by iters."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    sync()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return (clock() - start) / (warmup + iters)


@mistake("benchmark")
def returns_the_span(fn, *, sync, clock, warmup, iters):
    """This is the time of all calls together: divide by their number."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    sync()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return clock() - start


@mistake("benchmark")
def clocks_each_call(fn, *, sync, clock, warmup, iters):
    """You timed and waited for each call separately, so the waiting is timed, too: read the clock only twice."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    total = 0.0
    for _ in range(iters):
        sync()
        start = clock()
        fn()
        sync()
        total += clock() - start
    return total / iters


@mistake("benchmark")
def waits_after_each_call(fn, *, sync, clock, warmup, iters):
    """You waited after every call, so the device could never work ahead: wait once, after the last."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    sync()
    start = clock()
    for _ in range(iters):
        fn()
        sync()
    return (clock() - start) / iters


@mistake("benchmark", common=True)
def no_warm_up(fn, *, sync, clock, warmup, iters):
    """The warm-up calls are missing: the first calls load and prepare things and are slower than the rest."""
    checked(warmup, iters)
    sync()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return (clock() - start) / iters


@mistake("benchmark")
def takes_any_numbers(fn, *, sync, clock, warmup, iters):
    """Numbers that make no sense were accepted: check them first and raise ValueError."""
    for _ in range(warmup):
        fn()
    sync()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return (clock() - start) / max(iters, 1)


@mistake("benchmark")
def checks_too_late(fn, *, sync, clock, warmup, iters):
    """fn was called before the numbers were checked: check them first."""
    for _ in range(warmup):
        fn()
    checked(warmup, iters)
    sync()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return (clock() - start) / iters


@mistake("benchmark")
def swallows_errors(fn, *, sync, clock, warmup, iters):
    """You caught an error of the warm-up and ignored it: let it through, the caller has to know."""
    checked(warmup, iters)
    try:
        for _ in range(warmup):
            fn()
    except Exception:
        pass
    sync()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return (clock() - start) / iters


@mistake("benchmark")
def rounds_the_time(fn, *, sync, clock, warmup, iters):
    """You rounded the time: return it unrounded, or a short call takes no time at all."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    sync()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return round((clock() - start) / iters, 6)


@mistake("benchmark")
def looks_in_float32(fn, *, sync, clock, warmup, iters):
    """You rounded the readings to float32 before you subtracted them, which loses digits once the clock has run
    for long: subtract the readings themselves."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    sync()
    start = torch.tensor(float(clock()), dtype=torch.float32)
    for _ in range(iters):
        fn()
    sync()
    return (torch.tensor(float(clock()), dtype=torch.float32) - start).item() / iters


@mistake("benchmark")
def looks_at_the_results(fn, *, sync, clock, warmup, iters):
    """You used the result of fn in a condition, which fails for a tensor of several elements: ignore its results."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    sync()
    start = clock()
    for _ in range(iters):
        if fn():
            pass
    sync()
    return (clock() - start) / iters


@mistake("benchmark")
def keeps_nine_decimals(fn, *, sync, clock, warmup, iters):
    """You rounded the time to nine decimals, which leaves nothing if the clock counts in large units: return it
    unrounded."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    sync()
    start = clock()
    for _ in range(iters):
        fn()
    sync()
    return round((clock() - start) / iters, 9)


@mistake("benchmark")
def takes_zero_for_no_time(fn, *, sync, clock, warmup, iters):
    """A first reading of 0.0 was taken for none: 0 is false in a condition, and a clock may start there."""
    checked(warmup, iters)
    for _ in range(warmup):
        fn()
    sync()
    start = clock() or 1e-9
    for _ in range(iters):
        fn()
    sync()
    return (clock() - start) / iters


@alternative("benchmark")
def with_a_helper(fn, *, sync, clock, warmup, iters):
    """One inner function for a look at the clock."""
    if not (warmup >= 0 and iters > 0):
        raise ValueError((warmup, iters))

    def look_after(calls):
        while calls:
            fn()
            calls -= 1
        sync()
        return clock()

    before, after = look_after(warmup), look_after(iters)
    return float(after - before) / iters


@alternative("benchmark")
def with_lists(fn, *, sync, clock, warmup, iters):
    """List comprehensions for their side effects."""
    checked(warmup, iters)
    [fn() for _ in range(warmup)]
    sync()
    span = -clock()
    [fn() for _ in range(iters)]
    sync()
    span += clock()
    return span / iters
