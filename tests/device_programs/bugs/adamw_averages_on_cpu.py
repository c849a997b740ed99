"""Exercise: 05_optimizers/bonus2_adamw.
The averages start as zeros that nobody put on the device of the parameter.
"""

import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        self.params = list(params)
        if not self.params:
            raise ValueError("no parameters")
        if lr < 0 or eps < 0 or weight_decay < 0 or not all(0 <= beta < 1 for beta in betas):
            raise ValueError("a setting is out of range")
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.m = [torch.zeros(p.size(), dtype=p.dtype) for p in self.params]
        self.v = [torch.zeros(p.size(), dtype=p.dtype) for p in self.params]
        self.t = [0 for _ in self.params]

    @torch.no_grad()
    def step(self):
        b1, b2 = self.betas
        for k, p in enumerate(self.params):
            g = p.grad
            if g is None:
                continue
            p.mul_(1 - self.lr * self.weight_decay)
            self.t[k] += 1
            self.m[k] = b1 * self.m[k] + (1 - b1) * g
            self.v[k] = b2 * self.v[k] + (1 - b2) * g**2
            m_hat = self.m[k] / (1 - b1 ** self.t[k])
            v_hat = self.v[k] / (1 - b2 ** self.t[k])
            p.sub_(self.lr * m_hat / (v_hat.sqrt() + self.eps))

    def zero_grad(self):
        for p in self.params:
            p.grad = None
