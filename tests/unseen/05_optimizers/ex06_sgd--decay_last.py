"""Weight decay is added to the gradient before the momentum (here the parameter is shrunk after the move)."""
import torch

class SGD:
    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        self.params = list(params)
        self.lr, self.momentum, self.weight_decay, self.nesterov = lr, momentum, weight_decay, nesterov
        self.v = {}

    @torch.no_grad()
    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad.clone()
            self.v[i] = g if i not in self.v else self.momentum * self.v[i] + g
            d = g + self.momentum * self.v[i] if self.nesterov else self.v[i]
            p -= self.lr * d
            p -= self.lr * self.weight_decay * p

    def zero_grad(self):
        for p in self.params:
            p.grad = None
