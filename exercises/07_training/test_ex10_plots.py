"""Visible tests for plot_history and plot_fit: pytest exercises/07_training -k plots"""

import pytest
import torch
from torch import nn

from ex10_plots import plot_fit, plot_history

NEEDS_MATPLOTLIB = "matplotlib is not installed, so plots are not checked here: pip install matplotlib"


def empty_axes():
    """Axes of a figure that no window shows."""
    return pytest.importorskip("matplotlib.figure", reason=NEEDS_MATPLOTLIB).Figure().subplots()


def test_plot_history_draws_one_line_over_the_steps():
    """Steps count from 0, and both axes are labeled."""
    ax = empty_axes()

    plot_history(ax, [4.0, 2.0, 1.0])

    assert ax.lines[0].get_xydata().tolist() == [[0.0, 4.0], [1.0, 2.0], [2.0, 1.0]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("step", "loss")


def test_plot_fit_draws_the_model_from_left_to_right():
    """The points keep their order, the line is sorted by x."""
    ax = empty_axes()
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, 2.0)

    plot_fit(ax, model, torch.tensor([[3.0], [1.0], [2.0]]), torch.tensor([[5.0], [2.5], [4.0]]))

    assert ax.collections[0].get_offsets().tolist() == [[3.0, 5.0], [1.0, 2.5], [2.0, 4.0]]
    assert ax.lines[0].get_xydata().tolist() == [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["data", "model"]


def test_plot_fit_shows_the_model_in_evaluation_mode():
    """Dropout is off in the picture."""
    ax = empty_axes()
    model = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Dropout(1.0))
    nn.init.constant_(model[0].weight, 2.0)

    plot_fit(ax, model, torch.tensor([[3.0]]), torch.tensor([[5.0]]))

    assert ax.lines[0].get_xydata().tolist() == [[3.0, 6.0]]
