"""Hidden checks for grad_history."""

import math

import torch

from torchdojo.grading import check

CONCEPTS = ("G10", "G11")
KEPT = {
    "gradients_add_up": "one of the two modes, worth points of its own",
    "cleared_gradients_stand_alone": "the other mode, worth points of its own",
}

EXACT = (1e-11, 1e-12)  # right solutions are within 1e-14 for these sums, float32 leaves are off by 1e-8


def squared(x):
    return x**2


def cubed(x):
    return x**3


def wave(x):
    return torch.sin(x)


def itself(x):
    return x


def falling(x):
    return -5 * x


def whole_number(x):
    return 3


def decimal_number(x):
    return 9.5


def fresh_constant(x):
    return torch.ones((), dtype=torch.float64, device=x.device)


def cut_off(x):
    return (x * x).detach()


FUNCTIONS = {
    f.__name__: f
    for f in (squared, cubed, wave, itself, falling, whole_number, decimal_number, fresh_constant, cut_off)
}
SLOPES = {
    "squared": lambda x: 2 * x,
    "cubed": lambda x: 3 * x**2,
    "wave": math.cos,
    "itself": lambda x: 1.0,
    "falling": lambda x: -5.0,
}

LEARNING = (
    ["squared", "cubed"],
    ["falling"],
    ["itself", "squared", "itself"],
    ["falling", "cubed", "cubed", "squared", "falling", "itself"],
)
WITH_CONSTANTS = (
    ["decimal_number", "squared"],
    ["fresh_constant", "whole_number", "falling"],
    ["cut_off", "cubed"],
)


class oracle:
    """Slopes from paper and a running sum."""

    def grad_history(fs, x0, *, zero):
        held, history = None, []
        for f in fs:
            f(torch.tensor(float(x0), dtype=torch.float64))
            slope = SLOPES[f.__name__](float(x0)) if f.__name__ in SLOPES else None
            if zero:
                held = slope
            elif slope is not None:
                held = slope + (held or 0.0)
            history.append(held or 0.0)
        return history


def numbers(history):
    """The entries as floats: what they are has a check of its own."""
    return [float(entry) for entry in history]


@check(points=3, names=list(LEARNING), x0=[2.0, 0.5, -3.0], tolerance=EXACT)
def gradients_add_up(solution, names, x0):
    """With zero=False, each entry is the sum of all gradients so far."""
    return numbers(solution.grad_history([FUNCTIONS[name] for name in names], x0, zero=False))


@check(points=3, names=list(LEARNING), x0=[2.0, 0.5, -3.0], tolerance=EXACT)
def cleared_gradients_stand_alone(solution, names, x0):
    """With zero=True each entry is that function's own gradient."""
    return numbers(solution.grad_history([FUNCTIONS[name] for name in names], x0, zero=True))


@check(points=1, star=True, names=list(WITH_CONSTANTS), x0=[0.5, 2.0], zero=[False, True], tolerance=EXACT)
def constants_leave_grad_as_it_is(solution, names, x0, zero):
    """A function that does not depend on x adds nothing to .grad."""
    before = numbers(solution.grad_history([FUNCTIONS[name] for name in names], x0, zero=zero))
    after = numbers(solution.grad_history([FUNCTIONS[name] for name in reversed(names)], x0, zero=zero))
    return {"constants first": before, "constants last": after}


@check(points=1, x0=[0.5, 3], zero=[False, True])
def entries_are_python_floats(solution, x0, zero):
    """The answer is a list with one Python float per function; no functions give an empty list."""
    return {"one function": solution.grad_history([squared], x0, zero=zero), "none": solution.grad_history([], x0, zero=zero)}


@check(points=1, star=True, x0=[0.3, -2], tolerance=EXACT)
def reads_fs_once_and_calls_each_f_in_order(solution, x0):
    """fs may be a generator; each f is called once, on a 0-dim float64 leaf at x0."""
    seen = []

    def noted(f):
        def call(x):
            seen.append((f.__name__, str(x.dtype), len(x.shape), float(x.detach())))
            return f(x)

        call.__name__ = f.__name__
        return call

    history = solution.grad_history((noted(f) for f in [squared, wave, cubed]), x0, zero=False)
    return {"first entry": numbers(history)[:1], "calls": seen}
