"""decay and 1 - decay are exchanged, and the buffers are never copied."""
import copy

import torch


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for avg, p in zip(self.model.parameters(), model.parameters()):
            avg.mul_(1 - self.decay).add_(p, alpha=self.decay)
