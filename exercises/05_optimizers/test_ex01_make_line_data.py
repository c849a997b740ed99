"""Visible tests for make_line_data: pytest exercises/05_optimizers -k make_line_data"""

import torch
from ex01_make_line_data import make_line_data

from torchdojo import assert_same


def test_both_results_are_columns():
    """X and y both have shape (n, 1)."""
    X, y = make_line_data(4, w=3.0, b=2.0, noise=0.5, generator=torch.Generator().manual_seed(0))

    assert X.shape == (4, 1)
    assert y.shape == (4, 1)


def test_without_noise_the_points_lie_on_the_line():
    """With noise 0, y is exactly w * X + b."""
    X, y = make_line_data(4, w=3.0, b=2.0, noise=0.0, generator=torch.Generator().manual_seed(0))

    assert_same(y, 3.0 * X + 2.0)


def test_x_is_the_first_draw_and_the_errors_are_the_second():
    """With w = 0, b = 0 and noise 1, y is the second draw."""
    same = torch.Generator().manual_seed(7)
    first, second = torch.randn(4, 1, generator=same), torch.randn(4, 1, generator=same)

    X, y = make_line_data(4, w=0.0, b=0.0, noise=1.0, generator=torch.Generator().manual_seed(7))

    assert_same(X, first)
    assert_same(y, second)


def test_the_next_call_gives_other_points():
    """The generator moves on from call to call."""
    generator = torch.Generator().manual_seed(0)

    X1, _ = make_line_data(4, w=3.0, b=2.0, noise=0.5, generator=generator)
    X2, _ = make_line_data(4, w=3.0, b=2.0, noise=0.5, generator=generator)

    assert not torch.equal(X1, X2)
