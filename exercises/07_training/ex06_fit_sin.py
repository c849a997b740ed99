"""Training 6 of 10: teach the sine to a network with 16 hidden units.

Difficulty 3 of 5, about 15 minutes.
"""

import torch
from torch import nn


def fit_sin(seed: int, device: torch.device | str, steps: int = 1000) -> tuple[nn.Module, list[float]]:
    """Train a small network to compute sin(x) and return it with its loss history.

    The task:
        data     x is 200 equally spaced points from -pi to pi, both included, of shape (200, 1); y = sin(x)
        model    a linear layer from 1 to 16, ReLU, a linear layer from 16 to 1, both with bias, each with
                 PyTorch's own initial weights; how you write the module is up to you. (n, 1) goes in, (n, 1)
                 comes out.
        loss     mean squared error over all 200 points
        update   torch.optim.Adam with learning rate 0.01 and otherwise its defaults; each step uses all the
                 data
        result   (model, history): history holds `steps` Python floats, the loss before each update

    Reproducible:
        * The initial weights are drawn after torch.manual_seed(seed), on the CPU, and then moved to the
          device. The same seed gives the same model and history on a second call, another seed gives another
          model.
        * The caller's random numbers are not disturbed: torch's CPU generator is after the call in the state
          that it had before (torch.random.fork_rng(devices=[]) does this).

    Edge cases:
        * Model and data are on `device`, whatever it is called.
        * Data and parameters have PyTorch's default dtype, float32 unless somebody changed it.
        * steps = 0 returns the untrained model and []. The first entries of a history do not depend on
          `steps`.
        * Whether the model comes back in training mode does not matter; neither does what is in .grad.

    After 1000 steps the mean squared error is below 0.01. A horizontal line would have about 0.5.

    Example:
        >>> model, history = fit_sin(seed=0, device="cpu", steps=300)
        >>> len(history), history[-1] < 0.1 < history[0]
        (300, True)

    Pitfall:
        (200, 1) minus (200,) is (200, 200): the loss then settles near 0.5 and never gets better.
    """
    raise NotImplementedError("07_training/ex06_fit_sin: write fit_sin()")
