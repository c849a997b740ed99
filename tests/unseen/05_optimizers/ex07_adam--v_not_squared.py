"""v averages the absolute gradients, not their squares."""
import torch

class Adam:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.state = [(p, {"m": torch.zeros_like(p), "v": torch.zeros_like(p), "t": 0}) for p in params]

    def step(self):
        with torch.no_grad():
            for p, s in self.state:
                if p.grad is None:
                    continue
                g = p.grad + self.weight_decay * p
                s["t"] += 1
                s["m"] = self.betas[0] * s["m"] + (1 - self.betas[0]) * g
                s["v"] = self.betas[1] * s["v"] + (1 - self.betas[1]) * g.abs()
                mh = s["m"] / (1 - self.betas[0] ** s["t"])
                vh = s["v"] / (1 - self.betas[1] ** s["t"])
                p.sub_(self.lr * mh / (vh.sqrt() + self.eps))

    def zero_grad(self):
        for p, _ in self.state:
            p.grad = None
