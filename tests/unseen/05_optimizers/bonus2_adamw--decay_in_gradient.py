"""Weight decay is added to the gradient: that is Adam with weight decay."""
import torch


class AdamW:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        self.params = list(params)
        self.lr = lr
        self.b1, self.b2 = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.state = [dict(t=0, m=torch.zeros_like(p).detach(), v=torch.zeros_like(p).detach()) for p in self.params]

    @torch.no_grad()
    def step(self):
        for p, s in zip(self.params, self.state):
            if p.grad is None:
                continue
            g = p.grad + self.weight_decay * p
            s["t"] += 1
            s["m"] = self.b1 * s["m"] + (1 - self.b1) * g
            s["v"] = self.b2 * s["v"] + (1 - self.b2) * g * g
            m_hat = s["m"] / (1 - self.b1 ** s["t"])
            v_hat = s["v"] / (1 - self.b2 ** s["t"])
            p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)

    def zero_grad(self):
        for p in self.params:
            p.grad = None
