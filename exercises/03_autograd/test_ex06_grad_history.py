"""Visible tests for grad_history: pytest exercises/03_autograd -k grad_history"""

from ex06_grad_history import grad_history
from torchdojo import assert_same


def test_gradients_add_up():
    """4 from the square, then 4 + 12 after the cube."""
    got = grad_history([lambda x: x**2, lambda x: x**3], 2.0, zero=False)

    assert_same(got, [4.0, 16.0])


def test_cleared_gradients_stand_alone():
    """4 from the square, then 12 from the cube alone."""
    got = grad_history([lambda x: x**2, lambda x: x**3], 2.0, zero=True)

    assert_same(got, [4.0, 12.0])


def test_constant_adds_nothing():
    """A constant leaves .grad as it is, and None counts as 0.0."""
    got = grad_history([lambda x: 9.0, lambda x: 5 * x, lambda x: 9.0], 1.0, zero=False)

    assert_same(got, [0.0, 5.0, 5.0])
