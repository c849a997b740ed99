"""Hidden checks for derivative."""

import math

import torch

from torchdojo.grading import check

CONCEPTS = ("G04", "G05", "A01")
KEPT = {
    "finds_a_slope_for_each_input": "several inputs are a step of their own, worth points of their own",
    "kinks_have_the_slope_of_backward": "an edge case of the exercise, said by itself",
    "finds_the_slope_at_x": "one input, worth points of its own",
}

EXACT = (1e-11, 1e-12)  # right solutions are within 1e-15, central differences at best within 1e-10


def parabola(x):
    return x**2 + 3 * x + 1


def wave(x):
    return torch.sin(x) * torch.exp(-x)


def branch(x):
    return x**3 if x > 0 else -2 * x


def halving(x):
    while x > 1:
        x = x / 2
    return x * x


def magnitude(x):
    return x.abs()


def ramp(x):
    return torch.relu(x)


def itself(x):
    return x


def mixed(a, b):
    return a**2 * b + b**3


def scaled_sum(x, y, z):
    return (x + y) * z


def larger_squared(a, b):
    return a * a if a > b else b**3


def first_only(a, b):
    return 5 * a


def last_only(a, b, c):
    return c * c


def whole_number(*xs):
    return 3


def decimal_number(*xs):
    return 2.5


def fresh_constant(*xs):
    return torch.ones((), dtype=torch.float64, device=xs[0].device)


def cut_off(*xs):
    return (xs[0] * xs[-1]).detach()


SLOPES = {
    parabola: lambda x: (2 * x + 3,),
    wave: lambda x: ((math.cos(x) - math.sin(x)) * math.exp(-x),),
    branch: lambda x: (3 * x**2 if x > 0 else -2.0,),
    halving: lambda x: (2 * x / 4 ** max(0, math.ceil(math.log2(x))) if x > 0 else 2 * x,),
    magnitude: lambda x: (float((x > 0) - (x < 0)),),
    ramp: lambda x: (float(x > 0),),
    itself: lambda x: (1.0,),
    mixed: lambda a, b: (2 * a * b, a**2 + 3 * b**2),
    scaled_sum: lambda x, y, z: (z, z, x + y),
    larger_squared: lambda a, b: (2 * a, 0.0) if a > b else (0.0, 3 * b**2),
    first_only: lambda a, b: (5.0, 0.0),
    last_only: lambda a, b, c: (0.0, 0.0, 2 * c),
}


class oracle:
    """The slopes as worked out on paper."""

    def derivative(f, *xs):
        f(*[torch.tensor(float(x), dtype=torch.float64) for x in xs])
        known = {g.__name__: slopes for g, slopes in SLOPES.items()}.get(f.__name__, lambda *xs: [0.0] * len(xs))
        slopes = tuple(float(s) for s in known(*xs))
        return slopes[0] if len(xs) == 1 else slopes


def numbers(slopes):
    """The slopes as a list of numbers: what holds them has a check of its own."""
    return [float(slope) for slope in (slopes if isinstance(slopes, (tuple, list)) else [slopes])]


@check(points=2, f=[parabola, branch, halving], x=[0.5, 2.0, -1.75, 5.5, -3.0], tolerance=EXACT)
def finds_the_slope_at_x(solution, f, x):
    """The derivative of a function of one number is exact."""
    return {"derivative": numbers(solution.derivative(f, x))}


@check(points=2, f=[mixed, scaled_sum], xs=[(3.0, 4.0, 5.0), (0.25, -1.75, 0.5), (2.0, 0.75, -2.5), (-1.0, 2.0, 0.5)], tolerance=EXACT)
def finds_a_slope_for_each_input(solution, f, xs):
    """Several inputs give several exact derivatives, in order."""
    return {"derivatives": numbers(solution.derivative(f, *(xs if f.__name__ == "scaled_sum" else xs[:2])))}


@check(points=1, f=[parabola, mixed], xs=[(1.0, 2.0), (0.5, -1.5)])
def answers_are_python_numbers(solution, f, xs):
    """One input gives a float, several give a tuple of floats."""
    return solution.derivative(f, *(xs if f.__name__ == "mixed" else xs[:1]))


@check(points=1, star=True, f=[first_only, last_only, larger_squared], xs=[(1.0, 2.0, 0.25), (3.0, 0.5, -0.25)], tolerance=EXACT)
def ignored_inputs_have_slope_zero(solution, f, xs):
    """An input that f does not use has the derivative 0.0."""
    return {"derivatives": numbers(solution.derivative(f, *(xs if f.__name__ == "last_only" else xs[:2])))}


@check(points=1, star=True, f=[decimal_number, whole_number, fresh_constant, cut_off], x=[0.5, 2.0])
def constants_have_slope_zero(solution, f, x):
    """A number, or a tensor without a graph, has the derivative 0.0; x itself has the derivative 1.0."""
    one, two = solution.derivative(f, x), solution.derivative(f, x, 3.0)
    found = {"one input": numbers(one), "two inputs": two if isinstance(two, float) else tuple(numbers(two))}
    return found | {"derivative of x itself": numbers(solution.derivative(itself, x))}


@check(points=1, f=[magnitude, ramp], x=[0.0])
def kinks_have_the_slope_of_backward(solution, f, x):
    """At a kink, the derivative is 0.0, as in PyTorch; next to a kink, it is the function's own."""
    return {"at the kink": numbers(solution.derivative(f, x)), "at 1.5": numbers(solution.derivative(f, 1.5))}


@check(points=3, xs=[(0.3,), (2,), (3, 0.1), (-1.7, 5, 0.3)], tolerance=EXACT)
def f_is_given_the_numbers_themselves(solution, xs):
    """f gets one 0-dim float64 tensor per number, int or float, with exactly its value."""
    given = []

    def sum_of_squares(*args):
        given.append(args)
        return sum(x * x for x in args)

    solution.derivative(sum_of_squares, *xs)
    found = {"dtypes": sorted({str(x.dtype) for args in given for x in args})}
    found |= {"numbers of axes": sorted({x.dim() for args in given for x in args})}
    found |= {"values": [list(values) for values in sorted({tuple(float(x.detach()) for x in args) for args in given})]}
    return found | {"derivative of sin(x) * exp(-x)": numbers(solution.derivative(wave, xs[-1]))}


@check(points=1, star=True, kind=[ZeroDivisionError, RuntimeError, TypeError])
def errors_of_f_reach_the_caller(solution, kind):
    """If f raises an exception, it reaches the caller."""

    def broken(x):
        raise kind("f cannot do this")

    with torch.set_grad_enabled(True):
        try:
            solution.derivative(broken, 2.0)
            error = "no error"
        except kind:
            error = kind.__name__
    return {"error": error, "derivative of another function": numbers(solution.derivative(parabola, 2.0))}
