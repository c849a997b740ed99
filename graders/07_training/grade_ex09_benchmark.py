"""Hidden checks for benchmark: the order of calls, on a clock of our own."""

import torch

from torchdojo.grading import check, raises

CONCEPTS = ("F09", "F10")


class oracle:
    """The order of calls as a list, and then one call after the other."""

    def benchmark(fn, *, sync, clock, warmup, iters):
        if warmup < 0 or iters < 1:
            raise ValueError("nothing to time")
        looks = []
        for call in [fn] * warmup + [sync, clock] + [fn] * iters + [sync, clock]:
            result = call()
            if call is clock:
                looks.append(result)
        return float(looks[1] - looks[0]) / iters


class Device:
    """Orders are taken at once and worked on later; every call is noted, and takes a time of its own.

    at_once: they are worked on at once, so that there is nothing to wait for."""

    def __init__(self, answers=(None,), fails_at=None, whole=False, at_once=False):
        self.events, self.now, self.ordered = [], (3 if whole else 2.0**25 + 0.5), 0  # in float32 such a clock moves by 4
        self.answers, self.fails_at, self.whole, self.at_once = answers, fails_at, whole, at_once

    def fn(self):
        self.events.append("fn")
        self.now += 1 if self.whole else 0.25
        self.ordered += 1
        if self.events.count("fn") == self.fails_at:
            raise ZeroDivisionError("this work cannot be done")
        return self.answers[len(self.events) % len(self.answers)]

    def sync(self):
        self.events.append("sync")
        self.now += 0 if self.at_once else self.ordered * (16 if self.whole else 16.0)
        self.ordered = 0
        return self.answers[0]

    def clock(self):
        self.events.append("clock")
        return self.now


COUNTS = [(2, 3), (0, 1), (0, 4), (1, 1), (3, 1), (5, 2), (1, 50)]


@check(points=3, counts=COUNTS, answers=[(None,), (True, 0, "text"), (False,), (1.5,), (torch.zeros(2),)], devices=False)
def keeps_to_the_order_of_calls(solution, counts, answers):
    """You warm up, sync, read the clock, work, sync and read the clock, in this order and nothing else."""
    device = Device(answers)
    solution.benchmark(device.fn, sync=device.sync, clock=device.clock, warmup=counts[0], iters=counts[1])
    return device.events


@check(points=2, counts=COUNTS, whole=[False, True], devices=False)
def gives_the_time_of_one_call(solution, counts, whole):
    """The result is the timed span divided by iters, a float."""
    device = Device(whole=whole, at_once=True)
    got = solution.benchmark(device.fn, sync=device.sync, clock=device.clock, warmup=counts[0], iters=counts[1])
    other = Device(at_once=True)
    thirds = solution.benchmark(other.fn, sync=other.sync, clock=lambda: other.clock() / 3000, warmup=counts[0], iters=counts[1])
    hours, first = Device(at_once=True), []

    def from_zero():
        now = hours.clock() * 2.0**-40
        first.append(now)
        return now - first[0]

    small = solution.benchmark(hours.fn, sync=hours.sync, clock=from_zero, warmup=counts[0], iters=counts[1])
    seen = {"time of one call": got, "time of one call, by a clock that counts in another unit": thirds}
    return seen | {"times 2**40, by a clock of large units that starts at 0": small * 2.0**40}


@check(points=1, star=True, counts=[(0, 0), (2, 0), (1, -1), (-1, 1), (-1, 0), (-3, 5)], devices=False)
def refuses_numbers_that_make_no_sense(solution, counts):
    """Invalid numbers raise ValueError before anything is called."""
    device = Device()
    error = raises(
        lambda: solution.benchmark(device.fn, sync=device.sync, clock=device.clock, warmup=counts[0], iters=counts[1]),
        ValueError,
    )
    return {"error": error, "calls": device.events}


@check(points=1, star=True, counts=[(2, 3)], fails_at=[1, 2, 3, 5], devices=False)
def lets_errors_through(solution, counts, fails_at):
    """An error in fn is passed on unchanged."""
    device = Device(fails_at=fails_at)
    error = raises(
        lambda: solution.benchmark(device.fn, sync=device.sync, clock=device.clock, warmup=counts[0], iters=counts[1]),
        ValueError,
    )
    return {"error": error, "calls of the work": device.events.count("fn")}
