"""PyTorch's AveragedModel keeps the average."""
import torch
from torch.optim.swa_utils import AveragedModel


class EMA:
    def __init__(self, model, decay):
        self._average = AveragedModel(model, avg_fn=lambda old, new, _: torch.lerp(old, new, 1 - decay))
        self._average.n_averaged.fill_(1)
        self._average.requires_grad_(False)
        self.model = self._average.module.eval()

    def update(self, model):
        self._average.update_parameters(model)
