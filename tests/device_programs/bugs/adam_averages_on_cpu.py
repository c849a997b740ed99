"""Exercise: 05_optimizers/ex07_adam.
The averages are made with torch.zeros(p.shape), on the CPU.
"""

import torch


class Adam:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self.params = list(params)
        if not self.params:
            raise ValueError("no parameters")
        if lr < 0 or eps < 0 or weight_decay < 0 or not all(0 <= beta < 1 for beta in betas):
            raise ValueError("a setting is out of range")
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.state = {}

    @torch.no_grad()
    def step(self):
        b1, b2 = self.betas
        for k, p in enumerate(self.params):
            if p.grad is None:
                continue
            if k not in self.state:
                self.state[k] = [0, torch.zeros(p.shape, dtype=p.dtype), torch.zeros(p.shape, dtype=p.dtype)]
            s = self.state[k]
            g = p.grad + self.weight_decay * p
            s[0] += 1
            s[1] = b1 * s[1] + (1 - b1) * g
            s[2] = b2 * s[2] + (1 - b2) * g * g
            p -= self.lr * (s[1] / (1 - b1 ** s[0])) / ((s[2] / (1 - b2 ** s[0])).sqrt() + self.eps)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
