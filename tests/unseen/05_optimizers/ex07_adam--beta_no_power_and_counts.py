"""Bias correction uses 1 - beta**t; and weight_decay is left out."""
import torch

class Adam:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self.params = list(params)
        self.lr = lr
        self.betas = betas
        self.eps, self.weight_decay = eps, weight_decay
        self.state = {}

    @torch.no_grad()
    def step(self):
        beta1, beta2 = self.betas
        for p in self.params:
            if p.grad is None:
                continue
            g = p.grad
            m, v = self.state.get(p, (torch.zeros_like(p), torch.zeros_like(p)))
            m = beta1 * m + (1 - beta1) * g
            v = beta2 * v + (1 - beta2) * g ** 2
            self.state[p] = (m, v)
            p.sub_(self.lr * (m / (1 - beta1)) / ((v / (1 - beta2)).sqrt() + self.eps))

    def zero_grad(self):
        for p in self.params:
            p.grad = None
