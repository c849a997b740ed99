"""The state was created on the CPU; create it with zeros_like(p)."""
import torch

class Adam:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self.params = list(params)
        self.lr = lr
        self.betas = betas
        self.eps, self.weight_decay = eps, weight_decay
        self.m = [torch.zeros(p.shape, dtype=p.dtype) for p in self.params]
        self.v = [torch.zeros(p.shape, dtype=p.dtype) for p in self.params]
        self.t = [0 for _ in self.params]

    @torch.no_grad()
    def step(self):
        beta1, beta2 = self.betas
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad + self.weight_decay * p
            self.t[i] += 1
            self.m[i] = beta1 * self.m[i] + (1 - beta1) * g
            self.v[i] = beta2 * self.v[i] + (1 - beta2) * g ** 2
            m = self.m[i] / (1 - beta1 ** self.t[i])
            v = self.v[i] / (1 - beta2 ** self.t[i])
            p -= self.lr * m / (v.sqrt() + self.eps)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
