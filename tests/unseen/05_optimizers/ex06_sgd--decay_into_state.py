"""Weight decay is added to the gradient before the momentum (here: the velocity gets the decay in place, after)."""
import torch

class SGD:
    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        self.params = list(params)
        self.lr, self.momentum, self.weight_decay, self.nesterov = lr, momentum, weight_decay, nesterov
        self.state = {}

    def step(self):
        with torch.no_grad():
            for p in self.params:
                if p.grad is None:
                    continue
                v = self.state.get(p)
                v = p.grad.clone() if v is None else self.momentum * v + p.grad
                self.state[p] = v
                step = p.grad + self.momentum * v if self.nesterov else v
                step = step + self.weight_decay * p
                p.sub_(self.lr * step)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
