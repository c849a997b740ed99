"""eps stands inside the root, and one t counts for all parameters."""
import torch

class Adam:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self.params = list(params)
        self.lr, self.betas, self.eps, self.wd = lr, betas, eps, weight_decay
        self.first = [torch.zeros_like(p) for p in self.params]
        self.second = [torch.zeros_like(p) for p in self.params]
        self.t = 0

    @torch.no_grad()
    def step(self):
        self.t += 1
        b1, b2 = self.betas
        for k, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad + self.wd * p
            self.first[k] = b1 * self.first[k] + (1 - b1) * g
            self.second[k] = b2 * self.second[k] + (1 - b2) * g * g
            m_hat = self.first[k] / (1 - b1 ** self.t)
            v_hat = self.second[k] / (1 - b2 ** self.t)
            p -= self.lr * m_hat / (v_hat + self.eps).sqrt()

    def zero_grad(self):
        for p in self.params:
            p.grad = None
