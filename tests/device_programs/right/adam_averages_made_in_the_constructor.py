"""Exercise: 05_optimizers/ex07_adam.
The averages are made in the constructor, with zeros_like: they lie where the parameters are.
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
        self.m = [torch.zeros_like(p, requires_grad=False) for p in self.params]
        self.v = [torch.zeros_like(p, requires_grad=False) for p in self.params]
        self.t = [0] * len(self.params)

    @torch.no_grad()
    def step(self):
        b1, b2 = self.betas
        for k, p in enumerate(self.params):
            if p.grad is None:
                continue
            self.t[k] += 1
            g = p.grad + self.weight_decay * p
            self.m[k].mul_(b1).add_(g, alpha=1 - b1)
            self.v[k].mul_(b2).addcmul_(g, g, value=1 - b2)
            m = self.m[k] / (1 - b1 ** self.t[k])
            v = self.v[k] / (1 - b2 ** self.t[k])
            p -= self.lr * m / (v.sqrt() + self.eps)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
