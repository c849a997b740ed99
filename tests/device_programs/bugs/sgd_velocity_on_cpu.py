"""Exercise: 05_optimizers/ex06_sgd.
The velocities start as zeros on the CPU.
"""

import torch


class SGD:
    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        self.params = list(params)
        if not self.params:
            raise ValueError("no parameters")
        if lr < 0 or momentum < 0 or weight_decay < 0:
            raise ValueError("lr, momentum and weight_decay must not be negative")
        if nesterov and momentum == 0:
            raise ValueError("nesterov needs momentum")
        self.lr, self.momentum, self.weight_decay, self.nesterov = lr, momentum, weight_decay, nesterov
        self.v = [torch.zeros(p.shape, dtype=p.dtype) for p in self.params]

    @torch.no_grad()
    def step(self):
        for p, v in zip(self.params, self.v):
            if p.grad is None:
                continue
            g = p.grad + self.weight_decay * p
            v.mul_(self.momentum).add_(g)
            p -= self.lr * (g + self.momentum * v if self.nesterov else v)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
