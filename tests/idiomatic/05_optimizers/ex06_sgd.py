import torch


class SGD:
    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        self.params = list(params)
        self.lr = lr
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.nesterov = nesterov
        self.velocity = [None] * len(self.params)

    @torch.no_grad()
    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad + self.weight_decay * p
            if self.velocity[i] is None:
                self.velocity[i] = g.clone()
            else:
                self.velocity[i] = self.momentum * self.velocity[i] + g
            v = self.velocity[i]
            d = g + self.momentum * v if self.nesterov else v
            p -= self.lr * d

    def zero_grad(self):
        for p in self.params:
            p.grad = None
