"""(1) The dict with the velocities is an attribute of the class, so all optimizers write into the same one, and a second optimizer for the same parameter goes on with the velocity of the first. (2) With nesterov, d uses the velocity from before this step, because the line stands above the update of v."""

import torch


class SGD:
    velocity = {}  # parameter -> v

    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        self.params = list(params)
        self.lr = lr
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.nesterov = nesterov

    @torch.no_grad()
    def step(self):
        for p in self.params:
            if p.grad is None:
                continue
            g = p.grad + self.weight_decay * p
            if p not in self.velocity:
                v = g.clone()
                d = g + self.momentum * v if self.nesterov else v
            else:
                old = self.velocity[p]
                d = g + self.momentum * old
                v = self.momentum * old + g
                if not self.nesterov:
                    d = v
            self.velocity[p] = v
            p.sub_(self.lr * d)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
