"""SGD with momentum in public code."""

import torch
from public_optimizers import LACKS, TAKES, zeros

from torchdojo.grading import Convention, Public


def lr_in_velocity(oracle):
    """The oracle that puts the learning rate into the velocity: v = momentum * v + lr * g, and p = p - v."""

    class same:
        class SGD:
            def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
                self.params = list(params)
                self.lr, self.momentum, self.weight_decay, self.nesterov = lr, momentum, weight_decay, nesterov
                self.v = [torch.zeros_like(p) for p in self.params]

            @torch.no_grad()
            def step(self):
                for p, v in zip(self.params, self.v, strict=True):
                    if p.grad is not None:
                        g = self.lr * (p.grad + self.weight_decay * p)
                        v.mul_(self.momentum).add_(g)
                        p.sub_(g + self.momentum * v if self.nesterov else v)

            def zero_grad(self, set_to_none=True):
                for p in self.params:
                    if set_to_none or p.grad is None:
                        p.grad = None
                    else:
                        p.grad.zero_()

    return same


PUBLIC = Public(
    called=("sgd", "momentum", "sgd with momentum", "nesterov"),
    takes={**TAKES, **dict.fromkeys(("mu", "beta", "gamma"), "momentum")},
    lacks=LACKS,
    conventions={
        "lr-in-velocity": Convention("Its velocity contains the learning rate: v = momentum * v + lr * g.", lr_in_velocity),
        **zeros("SGD"),
    },
)
