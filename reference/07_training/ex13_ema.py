"""Reference solution: a copy in evaluation mode, moved toward the model under no_grad."""

import copy

import torch
from torch import nn


class EMA:
    """Keep an exponential moving average of a model's weights while the model trains."""

    def __init__(self, model: nn.Module, decay: float):
        """Copy the model. decay is from 0 to 1."""
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        """Replace each average by decay * average + (1 - decay) * weight, with the weights that model has now."""
        for average, weight in zip(self.model.parameters(), model.parameters(), strict=True):
            average.mul_(self.decay).add_(weight, alpha=1 - self.decay)
        for own, other in zip(self.model.buffers(), model.buffers(), strict=True):
            own.copy_(other)
