"""Known mistakes and unusual but correct solutions for benchmark."""

import torch  # noqa: F401 (for an edit)

from torchdojo.variants import alternative, mistake

HINTS = (
    "Draw a timeline, and mark on it the calls, the waiting and the clock readings. What lies between the two readings?",
    "Work that was queued before the first reading must be done by then, and work that was queued between the readings must be done by the second.",
    "Check the two numbers. Warm up, wait, read the clock; call fn iters times, wait, read it again. By what do you divide "
    "the difference?",
)


never_waits = mistake.edited("sync()\nstart = clock()", "start = clock()",
    "You read the clock while work was still running: wait before both readings.",
    also=[("sync()\nreturn", "return")], common=True)

does_not_wait_at_the_start = mistake.edited("sync()\nstart = clock()", "start = clock()",
    "The clock started while the warm-up was still running: wait before the first reading.")

does_not_wait_at_the_end = mistake.edited("sync()\nreturn", "return",
    "You stopped the clock before the work was done, so you timed only how fast calls are queued: wait before the second "
    "reading.",
    pitfall="Without sync() before the second clock reading")

waits_after_the_clock = mistake.edited("sync()\nstart = clock()", "start = clock()\nsync()",
    "You read the clock first and waited afterward: wait, then read it.",
    also=[("sync()\nreturn (clock() - start)", "stop = clock()\nsync()\nreturn (stop - start)")])

waits_before_the_warm_up = mistake.edited("for _ in range(warmup):", "sync()\nfor _ in range(warmup):",
    "You waited before the warm-up instead of after it, so its work reaches into the timed span.",
    also=[("sync()\nstart = clock()", "start = clock()")])

times_the_warm_up = mistake.edited("for _ in range(warmup):\n    fn()\nsync()", "sync()",
    "The warm-up was timed too: start the clock after it.",
    also=[("range(iters)", "range(warmup + iters)")])

divides_by_all_calls = mistake.edited("(clock() - start) / iters", "(clock() - start) / (warmup + iters)",
    "You also divide by the warm-up calls, which are not timed: divide by iters.")

returns_the_span = mistake.edited("(clock() - start) / iters", "clock() - start",
    "This is the time of all calls together: divide by their number.")

clocks_each_call = mistake.edited(
    "fn()",
    """
    sync()
    start = clock()
    fn()
    sync()
    total += clock() - start
    """,
    "You timed and waited for each call separately, so the waiting is timed, too: read the clock only twice.",
    also=[
        ("sync()\nstart = clock()", "total = 0.0"),
        ("sync()\nreturn (clock() - start) / iters", "return total / iters"),
    ], occurrence=2)

waits_after_each_call = mistake.edited("fn()", "fn()\nsync()",
    "You waited after every call, so the device could never work ahead: wait once, after the last.",
    also=[("sync()\nreturn", "return")], occurrence=2)

no_warm_up = mistake.edited("for _ in range(warmup):\n    fn()\nsync()", "sync()",
    "The warm-up calls are missing: the first calls load and prepare things and are slower than the rest.",
    common=True)

takes_any_numbers = mistake.edited("if warmup < 0 or iters < 1:", "if False:",
    "Numbers that make no sense were accepted: check them first and raise ValueError.",
    also=[("(clock() - start) / iters", "(clock() - start) / max(iters, 1)")])

rejects_no_warm_up = mistake.edited("warmup < 0", "warmup <= 0",
    "warmup = 0 was rejected: it means that there are no warm-up calls. Only numbers below 0 are wrong.")

lets_no_calls_through = mistake.edited("iters < 1", "iters < 0",
    "iters = 0 was accepted, and the span divided by it: with no call there is nothing to time, so raise ValueError.")

checks_too_late = mistake.edited(
    "if warmup < 0 or iters < 1:", "for _ in range(warmup):\n    fn()\nif warmup < 0 or iters < 1:",
    "fn was called before the numbers were checked: check them first.",
    also=[("for _ in range(warmup):\n    fn()\nsync()", "sync()")])

swallows_errors = mistake.edited(
    "for _ in range(warmup):\n    fn()",
    """
    try:
        for _ in range(warmup):
            fn()
    except Exception:
        pass
    """,
    "You caught an error of the warm-up and ignored it: let it through, because the caller has to know.")

rounds_the_time = mistake.edited("(clock() - start) / iters", "round((clock() - start) / iters, 6)",
    "You rounded the time: return it unrounded, or a short call takes no time at all.")

rounds_down = mistake.edited("(clock() - start) / iters", "(clock() - start) // iters",
    "The time was rounded down to a whole number: divide with /, not with //.")

looks_in_float32 = mistake.edited("start = clock()", "start = torch.tensor(float(clock()), dtype=torch.float32)",
    "You rounded the readings to float32 before you subtracted them, which loses digits once the clock has run for long: "
    "subtract the readings themselves.",
    also=[("(clock() - start) / iters", "(torch.tensor(float(clock()), dtype=torch.float32) - start).item() / iters")])

looks_at_the_results = mistake.edited("fn()", "if fn():\n    pass",
    "You used the result of fn in a condition, which fails for a tensor of several elements: ignore its results.",
    occurrence=2)

keeps_nine_decimals = mistake.edited("(clock() - start) / iters", "round((clock() - start) / iters, 9)",
    "You rounded the time to nine decimals, which leaves nothing if the clock counts in large units: return it unrounded.")

takes_zero_for_no_time = mistake.edited("start = clock()", "start = clock() or 1e-9",
    "A first reading of 0.0 was taken for none: 0 is false in a condition, and a clock may start there.")


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


with_lists = alternative.edited("for _ in range(warmup):\n    fn()", "[fn() for _ in range(warmup)]",
    "List comprehensions for their side effects.",
    also=[
        ("start = clock()", "span = -clock()"),
        ("for _ in range(iters):\n    fn()", "[fn() for _ in range(iters)]"),
        ("(clock() - start) / iters", "(span + clock()) / iters"),
    ])
