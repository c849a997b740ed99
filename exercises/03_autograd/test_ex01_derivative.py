"""Visible tests for derivative: pytest exercises/03_autograd -k derivative"""

import torch

from ex01_derivative import derivative
from torchdojo import assert_same


def test_derivative_of_a_parabola():
    """x**2 + 3x + 1 has the derivative 2x + 3, which is 7 at x = 2."""
    got = derivative(lambda x: x**2 + 3 * x + 1, 2.0)

    assert_same(got, 7.0)


def test_f_gets_a_float64_tensor():
    """So does the int 3: x**2 has the derivative 6 there."""
    dtypes = []

    def square(x):
        dtypes.append(x.dtype)
        return x**2

    assert_same(derivative(square, 3), 6.0)
    assert dtypes == [torch.float64]


def test_two_inputs_give_a_tuple():
    """a**2 b + b**3 at (3, 4) has the partial derivatives 24 and 57."""
    got = derivative(lambda a, b: a**2 * b + b**3, 3.0, 4.0)

    assert_same(got, (24.0, 57.0))


def test_only_the_path_that_was_taken_counts():
    """At -2 the branch -3x is taken, whose derivative is -3."""
    got = derivative(lambda x: x**2 if x > 0 else -3 * x, -2.0)

    assert_same(got, -3.0)
