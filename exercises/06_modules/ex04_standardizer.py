"""Modules 4 of 7: numbers that belong to a module but are not trained.

Difficulty 3 of 5, about 12 minutes.
"""

import torch
from torch import nn


class Standardizer(nn.Module):
    """Shift and scale each feature by the mean and standard deviation of the data it was fitted to.

    mean and std are buffers: part of state_dict, moved by .to(), but not parameters. Before fit, mean is 0 and
    std is 1.

    Shapes:
        mean, std  (n_features,)
        X          (n, n_features)     what fit sees; dtype and device of the buffers
        x          (..., n_features)   what forward sees; dtype and device of the buffers
        result     (..., n_features)   (x - mean) / std

    fit sets mean and std from the rows of X and returns the module itself (self). The variance is the mean of
    the squared deviations (divide by n, not by n - 1); std is its root. Only the last fit counts, and forward
    changes neither mean nor std.

    Example:
        >>> scaler = Standardizer(2).fit(torch.tensor([[0.0, 10.0], [2.0, 30.0]]))
        >>> scaler.mean, scaler.std
        (tensor([ 1., 20.]), tensor([ 1., 10.]))
        >>> scaler(torch.tensor([3.0, 20.0]))
        tensor([2., 0.])

    Pitfall:
        self.mean = tensor alone makes a plain attribute:
        it stays behind when the module moves, and is not saved.

    For full marks:
        * A feature whose standard deviation over X is exactly 0 gets std 1. So do all features if X has one
          row.
        * mean and std stay when X is changed later.
        * X without rows raises ValueError, and mean and std stay as they were.
        * If X requires grad, mean and std still have no graph. fit gives the same inside torch.no_grad().
        * mean and std start in torch's default dtype (float32, unless it was set to another one).
    """

    def __init__(self, n_features: int) -> None:
        """Register the two buffers."""
        super().__init__()
        raise NotImplementedError("06_modules/ex04_standardizer: write Standardizer.__init__()")

    def fit(self, X: torch.Tensor) -> "Standardizer":
        """Set mean and std from the rows of X and return self."""
        raise NotImplementedError("06_modules/ex04_standardizer: write Standardizer.fit()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Standardize the last axis of x."""
        raise NotImplementedError("06_modules/ex04_standardizer: write Standardizer.forward()")
