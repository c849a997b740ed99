"""In training num_batches_tracked grows before the check for a single number per channel, so a batch that is refused with a ValueError has been counted."""

import torch
from torch import nn


class ChannelNorm(nn.Module):
    """Batch normalization over the batch and the spatial axes.

    The parameters and buffers have the names and shapes of nn.BatchNorm2d, so state dicts are interchangeable.
    """

    def __init__(self, channels: int, eps: float = 1e-5, momentum: float | None = 0.1):
        super().__init__()
        self.eps = eps
        self.momentum = momentum
        self.weight = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("running_mean", torch.zeros(channels))
        self.register_buffer("running_var", torch.ones(channels))
        self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.int64))

    def _update_factor(self) -> float:
        """Count the batch, and return its share in the running statistics.

        Without a momentum the statistics are a cumulative average, so the share of batch n is 1 / n.
        """
        self.num_batches_tracked += 1
        if self.momentum is None:
            return 1.0 / float(self.num_batches_tracked)
        return self.momentum

    def _batch_statistics(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the mean and the biased variance of each channel, and update the running statistics."""
        share = self._update_factor()
        count = x.shape[0] * x.shape[2] * x.shape[3]
        if count <= 1:
            raise ValueError(f"expected more than one value per channel when training, got an input of shape {tuple(x.shape)}")

        mean = x.mean(dim=(0, 2, 3))
        var = x.var(dim=(0, 2, 3), correction=0)
        with torch.no_grad():
            # The running variance is the unbiased estimate (Bessel's correction).
            self.running_mean.lerp_(mean, share)
            self.running_var.lerp_(var * count / (count - 1), share)
        return mean, var

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            mean, var = self._batch_statistics(x)
        else:
            mean, var = self.running_mean, self.running_var

        # (channels,) -> (channels, 1, 1), which lines up with (batch, channels, height, width)
        scale = (self.weight / torch.sqrt(var + self.eps))[:, None, None]
        return (x - mean[:, None, None]) * scale + self.bias[:, None, None]
