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


def test_the_same_function_twice():
    """5x has the gradient 5; the second time 5 is added to it."""
    got = grad_history([lambda x: 5 * x, lambda x: 5 * x], 1.0, zero=False)

    assert_same(got, [5.0, 10.0])
