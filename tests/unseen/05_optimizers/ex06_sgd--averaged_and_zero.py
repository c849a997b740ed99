"""The velocity is an average (1 - momentum), and zero_grad leaves zeros."""
import torch

class SGD:
    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        self.ps = [p for p in params]
        self.lr, self.mu, self.wd, self.nesterov = lr, momentum, weight_decay, nesterov
        self.buf = {}

    @torch.no_grad()
    def step(self):
        for p in self.ps:
            if p.grad is None:
                continue
            g = p.grad + self.wd * p
            old = self.buf.get(p)
            v = g if old is None else self.mu * old + (1 - self.mu) * g
            self.buf[p] = v
            p -= self.lr * (g + self.mu * v if self.nesterov else v)

    def zero_grad(self):
        for p in self.ps:
            if p.grad is not None:
                p.grad = torch.zeros_like(p.grad)
