"""Training 6 of 15: teach the sine to a network with 16 hidden units.

Difficulty 3 of 5, about 15 minutes.
"""

import torch
from torch import nn


def fit_sin(seed: int, device: torch.device | str, steps: int = 1000) -> tuple[nn.Module, list[float]]:
    """Train a small network to compute sin(x) and return it with its loss history.

    Data       x is 200 equally spaced points from -pi to pi, both included, of shape (200, 1); y = sin(x)
    Model      a linear layer from 1 to 16, ReLU, a linear layer from 16 to 1, both with bias and PyTorch's own
               initial weights, drawn on the CPU after torch.manual_seed(seed)
    Loss       the mean squared error over all 200 points
    Update     torch.optim.Adam with learning rate 0.01; each step uses all the data
    Device     model and data are on `device`; the training runs there
    Result     (model, history): the model maps (n, 1) to (n, 1), and history holds `steps` Python floats, the
               loss before each update; with steps = 0 the model is untrained

    After 1000 steps the loss is below 0.01.

    Example:
        >>> model, history = fit_sin(seed=0, device="cpu", steps=300)
        >>> len(history), history[-1] < 0.1 < history[0]
        (300, True)

    Pitfall:
        (200, 1) minus (200,) is (200, 200): the loss then settles near 0.5 and never gets better.

    For full marks:
        * The caller's random numbers are not disturbed: after the call torch's CPU generator is in the state
          that it had before (torch.random.fork_rng(devices=[]) does this).
        * Data and parameters have PyTorch's default dtype, float32 unless it was changed.
    """
    raise NotImplementedError("07_training/ex06_fit_sin: write fit_sin()")
