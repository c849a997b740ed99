"""Training 10 of 15: draw the loss curve and the fitted line.

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
        history  the losses, Python floats

    Afterwards there is one line through the points (0, history[0]), (1, history[1]), ... on the axes. Their
    scales are linear, and their labels are "step" on the x-axis and "loss" on the y-axis. Only ax is drawn on: no figure
    is made, shown or saved.

    Example:
        >>> from matplotlib.figure import Figure
        >>> ax = Figure().subplots()
        >>> plot_history(ax, [4.0, 2.0, 1.0])
        >>> ax.lines[0].get_xydata().tolist()
        [[0.0, 4.0], [1.0, 2.0], [2.0, 1.0]]

    Pitfall:
        ax.plot(losses, steps) draws the curve on its side: the steps come first.

    For full marks:
        * The losses may be tensors with one element, on any device, that may require grad.
    """
    raise NotImplementedError("07_training/ex10_plots: write plot_history()")


def plot_fit(ax: Any, model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> None:
    """Draw the data as points and the model as a line on matplotlib axes.

    Arguments:
        ax     the axes to draw on (matplotlib.axes.Axes)
        model  a model with (n, 1) in and (n, 1) out; it runs in evaluation mode
        x, y   (n, 1) each, in any order, no two x are equal

    Afterwards there are on the axes the n points (x, y), drawn with ax.scatter and labeled "data"; one line
    through the n points (x, model(x)) from the smallest x to the largest, drawn with ax.plot and labeled
    "model"; a legend, and the labels "x" on the x-axis and "y" on the y-axis.

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

    For full marks:
        * The model runs once, on all of x, and no graph is built. Afterwards every submodule has its own
          `training` flag again, even after an error in the model.
        * x and y may require grad.
        * Model, x and y may be on different devices: x moves to the device of the model's parameters, and
          everything that is drawn comes back to the CPU.
    """
    raise NotImplementedError("07_training/ex10_plots: write plot_fit()")
