"""Weight decay is added to the gradient before the momentum."""
import torch

class SGD:
    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        self.params = list(params)
        self.lr, self.momentum, self.weight_decay, self.nesterov = lr, momentum, weight_decay, nesterov
        self.v = [None] * len(self.params)

    @torch.no_grad()
    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad
            if self.v[i] is None:
                self.v[i] = g.clone()
            else:
                self.v[i] = self.momentum * self.v[i] + g
            d = g + self.momentum * self.v[i] if self.nesterov else self.v[i]
            d = d + self.weight_decay * p
            p -= self.lr * d

    def zero_grad(self):
        for p in self.params:
            p.grad = None
