import copy

import torch


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model)
        self.model.eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ema_p, p in zip(self.model.parameters(), model.parameters()):
            ema_p.copy_(self.decay * ema_p + (1 - self.decay) * p)
        for ema_b, b in zip(self.model.buffers(), model.buffers()):
            ema_b.copy_(b)
