"""Visible tests for derivative: pytest exercises/03_autograd -k derivative"""

import torch

from ex01_derivative import derivative
from torchdojo import assert_same


def test_slope_of_a_parabola():
    """x**2 + 3x + 1 has slope 2x + 3, which is 7 at x = 2."""
    got = derivative(lambda x: x**2 + 3 * x + 1, 2.0)

    assert_same(got, 7.0)


def test_two_inputs_give_a_tuple():
    """a**2 b + b**3 at (3, 4) has the partial derivatives 24 and 57."""
    got = derivative(lambda a, b: a**2 * b + b**3, 3.0, 4.0)

    assert_same(got, (24.0, 57.0))


def test_unused_input_has_slope_zero():
    """An input that f never uses has derivative 0.0."""
    got = derivative(lambda a, b: 5 * a, 1.0, 2.0)

    assert_same(got, (5.0, 0.0))


def test_works_where_recording_is_off():
    """Inside torch.no_grad() the slope is still found."""
    with torch.no_grad():
        got = derivative(lambda x: x * x, 3.0)

    assert_same(got, 6.0)
