"""Vision 4 of 12: batch norm, its running statistics and its two modes.

Difficulty 3 of 5, about 25 minutes.
"""

import torch
from torch import nn


class ChannelNorm(nn.Module):
    """Normalize each channel of images, as nn.BatchNorm2d does.

    The parameters `weight` and `bias`, of shape (channels,), start as ones and zeros. The buffers `running_mean` and `running_var`,
    (channels,), start as zeros and ones, and `num_batches_tracked` as a 0-dim int64 zero. So both can load each other's
    state_dict.

    In training: (x - mean) / sqrt(var + eps) * weight + bias. mean and var are those of each channel of x, (batch, channels,
    height, width); var with correction=0. Then the running statistics become (1 - momentum) * running + momentum * new, the
    variance with correction=1, and num_batches_tracked grows by 1. In evaluation mode the running statistics normalize, and don't
    change.

    Example:
        >>> norm = ChannelNorm(1, momentum=0.5)
        >>> result = norm(torch.tensor([[[[1.0, 3.0]]]]))
        >>> norm.running_mean  # half of 0 and half of 2
        tensor([1.])

    Pitfall:
        momentum is the share of the new batch, not of the old average.

    Not allowed: torch's own norms (then this exercise is not done).

    For full marks:
        * in training, a single number for a channel has no variance: raise a ValueError, and change no buffer
        * with momentum=None, the running statistics are the plain mean over all batches so far
        * the running statistics keep no graph
    """

    def __init__(self, channels: int, eps: float = 1e-5, momentum: float | None = 0.1):
        super().__init__()
        raise NotImplementedError("12_vision/ex04_batch_norm: write ChannelNorm.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError("12_vision/ex04_batch_norm: write ChannelNorm.forward()")
