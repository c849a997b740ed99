"""Visible tests for mlp_backward: pytest exercises/06_modules -k manual_backward"""

import torch
from ex03_manual_backward import mlp_backward

from torchdojo import assert_same


def test_one_number_everywhere():
    """x 1, W1 2, W2 3, y 5: h is 2, out is 6, diff is 1."""
    one, zero = torch.ones(1, 1), torch.zeros(1)

    got = mlp_backward(one, 5 * one, 2 * one, zero, 3 * one, zero)

    want = {
        "sq": torch.tensor([[1.0]]),
        "diff": torch.tensor([[2.0]]),
        "out": torch.tensor([[2.0]]),
        "y": torch.tensor([[-2.0]]),
        "W2": torch.tensor([[4.0]]),
        "b2": torch.tensor([2.0]),
        "h": torch.tensor([[6.0]]),
        "pre": torch.tensor([[6.0]]),
        "W1": torch.tensor([[6.0]]),
        "b1": torch.tensor([6.0]),
        "x": torch.tensor([[12.0]]),
    }
    assert_same(got, want)


def test_unit_that_is_off_passes_nothing():
    """With W1 = -2 the hidden unit is 0, and so are W1 and x."""
    one, zero = torch.ones(1, 1), torch.zeros(1)

    got = mlp_backward(one, 5 * one, -2 * one, zero, 3 * one, zero)

    assert_same(got["h"], torch.tensor([[-30.0]]))
    assert_same(got["pre"].abs(), torch.tensor([[0.0]]))
    assert_same(got["x"].abs(), torch.tensor([[0.0]]))


def test_every_gradient_has_the_shape_of_its_tensor():
    """Five examples, 2 inputs, 4 hidden units, 3 outputs."""
    x, y = torch.ones(5, 2), torch.zeros(5, 3)
    W1, b1, W2, b2 = torch.ones(4, 2), torch.ones(4), torch.ones(3, 4), torch.ones(3)

    got = mlp_backward(x, y, W1, b1, W2, b2)

    shapes = {name: tuple(got[name].shape) for name in ("W1", "b1", "W2", "b2", "x", "y")}
    assert_same(shapes, {"W1": (4, 2), "b1": (4,), "W2": (3, 4), "b2": (3,), "x": (5, 2), "y": (5, 3)})
