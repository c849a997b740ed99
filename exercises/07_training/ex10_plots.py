"""Training 10 of 10: draw the loss curve and the fitted line.

Difficulty 2 of 5, about 15 minutes.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn


def plot_history(ax: Any, history: Sequence[float | torch.Tensor]) -> None:
    """Draw the loss of every step as one line on matplotlib axes.

    Arguments:
        ax       the axes to draw on (matplotlib.axes.Axes)
        history  the losses: Python floats, or tensors with one element, on any device, that may require grad

    What is on the axes afterwards:
        * one line through the points (0, history[0]), (1, history[1]), ...
        * the labels: "step" below, "loss" on the left; both scales are linear

    Edge cases:
        * One loss, or none at all: then the line has no points.
        * Only ax is drawn on. No figure is made, shown or saved, and history is not changed.

    Example:
        >>> from matplotlib.figure import Figure
        >>> ax = Figure().subplots()
        >>> plot_history(ax, [4.0, 2.0, 1.0])
        >>> ax.lines[0].get_xydata().tolist()
        [[0.0, 4.0], [1.0, 2.0], [2.0, 1.0]]

    Pitfall:
        NumPy and matplotlib cannot read a tensor that requires grad or lies on another device than the CPU.
    """
    raise NotImplementedError("07_training/ex10_plots: write plot_history()")


def plot_fit(ax: Any, model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> None:
    """Draw the data as points and the model as a line on matplotlib axes.

    Arguments:
        ax     the axes to draw on (matplotlib.axes.Axes)
        model  a model with (n, 1) in and (n, 1) out, with at least one parameter
        x, y   (n, 1) each, n at least 1, float32 or float64, x with the dtype of the parameters

    What is on the axes afterwards:
        * the n points (x, y), drawn with ax.scatter and labelled "data"
        * one line through the n points (x, model(x)) from the smallest x to the largest, drawn with ax.plot
          and labelled "model"; x comes in any order, no two are equal
        * a legend, and the labels "x" below and "y" on the left

    Edge cases:
        * Model, x and y may lie on different devices, whatever they are called: x moves to the device of the
          model's parameters, and everything that is drawn comes back to the CPU. x and y may require grad.
        * The model runs once, on all of x, in evaluation mode, and no graph is built. Afterwards every
          submodule has its own `training` flag again, also when the model raises an error.
        * Only ax is drawn on. No figure is made, shown or saved; x and y are not changed.

    Example:
        >>> from matplotlib.figure import Figure
        >>> ax = Figure().subplots()
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> _ = model.load_state_dict({"weight": torch.tensor([[2.0]])})
        >>> plot_fit(ax, model, torch.tensor([[3.0], [1.0]]), torch.tensor([[5.0], [2.5]]))
        >>> ax.lines[0].get_xydata().tolist()
        [[1.0, 2.0], [3.0, 6.0]]

    Pitfall:
        A line joins its points in the order in which they come: unsorted data make a scribble.
    """
    raise NotImplementedError("07_training/ex10_plots: write plot_fit()")
