"""update averages every floating-point entry of the state dict, so the running statistics are averaged, too, instead of copied."""
import copy

import torch
from torch import nn


class EMA:
    """Exponential moving average of model weights.

    The averaged copy is kept in evaluation mode and takes no part in autograd. Integer entries of the state
    (such as the step counter of batch norm) cannot be averaged and are copied.
    """

    def __init__(self, model: nn.Module, decay: float):
        self.decay = decay
        self.model = copy.deepcopy(model).eval()
        self.model.requires_grad_(False)

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        """Blend the current weights of `model` into the averages, in place."""
        current = model.state_dict()
        for name, average in self.model.state_dict().items():
            value = current[name].detach()
            if average.is_floating_point():
                average.mul_(self.decay).add_(value, alpha=1 - self.decay)
            else:
                average.copy_(value)
