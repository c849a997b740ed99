"""One step count is shared by all parameters, and it grows even for those without a gradient."""
import torch


class Adam:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self.params = list(params)
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.t = 0
        self.state = {id(p): (torch.zeros_like(p.detach()), torch.zeros_like(p.detach())) for p in self.params}

    def step(self):
        self.t += 1
        beta1, beta2 = self.betas
        with torch.no_grad():
            for p in self.params:
                if p.grad is None:
                    continue
                m, v = self.state[id(p)]
                grad = p.grad.add(p, alpha=self.weight_decay)
                m = beta1 * m + (1 - beta1) * grad
                v = beta2 * v + (1 - beta2) * grad**2
                self.state[id(p)] = (m, v)
                mhat = m / (1 - beta1**self.t)
                vhat = v / (1 - beta2**self.t)
                p -= self.lr * mhat / (vhat.sqrt() + self.eps)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
