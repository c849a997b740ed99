"""Exercise: 05_optimizers/ex07_adam.
The averages are arrays of NumPy: every step fetches the gradient to the CPU, and sends the quotient back.
"""

import numpy as np
import torch


class Adam:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self.params = list(params)
        if not self.params:
            raise ValueError("no parameters")
        if lr < 0 or eps < 0 or weight_decay < 0 or not all(0 <= beta < 1 for beta in betas):
            raise ValueError("a setting is out of range")
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.m, self.v, self.t = {}, {}, {}

    @torch.no_grad()
    def step(self):
        b1, b2 = self.betas
        for k, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = (p.grad + self.weight_decay * p).cpu().numpy()
            self.t[k] = self.t.get(k, 0) + 1
            self.m[k] = b1 * self.m.get(k, 0) + (1 - b1) * g
            self.v[k] = b2 * self.v.get(k, 0) + (1 - b2) * g**2
            root = np.sqrt(self.v[k] / (1 - b2 ** self.t[k])) + self.eps
            p -= self.lr * torch.as_tensor(self.m[k] / (1 - b1 ** self.t[k]) / root, device=p.device)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
