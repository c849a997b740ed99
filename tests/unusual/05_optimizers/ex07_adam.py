"""Each parameter has a coroutine that remembers t, m and v."""
from itertools import count

import torch


def _memory(beta1, beta2, eps):
    m = v = direction = 0
    for t in count(1):
        g = yield direction
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g**2
        direction = (m / (1 - beta1**t)) / ((v / (1 - beta2**t)).sqrt() + eps)


class Adam:
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self.lr, self._decay = lr, weight_decay
        self._memories = [(p, _memory(*betas, eps)) for p in params]
        for _, memory in self._memories:
            next(memory)

    def step(self):
        with torch.no_grad():
            for p, memory in self._memories:
                if p.grad is not None:
                    p -= self.lr * memory.send(p.grad + self._decay * p)

    def zero_grad(self):
        for p, _ in self._memories:
            p.grad = None
