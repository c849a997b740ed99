"""Adam in public code."""

import torch

from torchdojo.grading import Convention, Public


def shared_count(oracle):
    """The oracle with one step count for all parameters."""

    class same:
        class Adam:
            def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
                self.params = list(params)
                self.lr, self.betas, self.eps, self.weight_decay, self.t = lr, betas, eps, weight_decay, 0
                self.m, self.v = ([torch.zeros_like(p) for p in self.params] for _ in range(2))

            @torch.no_grad()
            def step(self):
                self.t += 1
                (b1, b2), t = self.betas, self.t
                for p, m, v in zip(self.params, self.m, self.v, strict=True):
                    if p.grad is not None:
                        g = p.grad + self.weight_decay * p
                        m.mul_(b1).add_((1 - b1) * g)
                        v.mul_(b2).add_((1 - b2) * g**2)
                        p.sub_(self.lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + self.eps))

            def zero_grad(self):
                for p in self.params:
                    p.grad = None

    return same


PUBLIC = Public(
    called=("adam",),
    takes={
        **dict.fromkeys(("parameters", "model_params", "parameter_list"), "params"),
        **dict.fromkeys(("learning_rate", "alpha", "step_size", "stepsize"), "lr"),
        **dict.fromkeys(("epsilon", "eps_", "delta"), "eps"),
        **dict.fromkeys(("beta1", "beta_1", "b1", "rho1"), "betas[0]"),
        **dict.fromkeys(("beta2", "beta_2", "b2", "rho2"), "betas[1]"),
        "beta": "betas",
        **dict.fromkeys(("wd", "decay", "l2", "weight_decay_rate"), "weight_decay"),
    },
    not_asked={
        "new_lr_counts_at_once": "it has no public attribute lr",
        "zero_grad_clears_the_gradients": "it may keep gradients of zeros",
    },
    conventions={"shared-count": Convention("It counts steps once for all parameters, also for those without a gradient.", shared_count)},
)
