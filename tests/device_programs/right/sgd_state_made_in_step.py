"""Exercise: 05_optimizers/ex06_sgd.
The velocities are made in the first step, from gradients that are on the device by then.
"""

import torch


class SGD:
    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        self.params = list(params)
        if not self.params:
            raise ValueError("no parameters")
        if min(lr, momentum, weight_decay) < 0:
            raise ValueError("lr, momentum and weight_decay must not be negative")
        if nesterov and momentum == 0:
            raise ValueError("nesterov needs momentum")
        self.lr, self.momentum, self.weight_decay, self.nesterov = lr, momentum, weight_decay, nesterov
        self.v = {}

    @torch.no_grad()
    def step(self):
        for k, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad + self.weight_decay * p
            if k in self.v:
                self.v[k] = self.momentum * self.v[k] + g
            else:
                self.v[k] = g.clone()
            p -= self.lr * (g + self.momentum * self.v[k] if self.nesterov else self.v[k])

    def zero_grad(self):
        for p in self.params:
            p.grad = None
