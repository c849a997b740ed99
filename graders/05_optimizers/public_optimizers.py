"""What the public files of optimizers share: names of arguments, and oracles of conventions."""

import torch

from torchdojo.grading import Convention

TAKES = {
    **dict.fromkeys(("parameters", "model_params", "parameter_list"), "params"),
    **dict.fromkeys(("learning_rate", "alpha", "step_size", "stepsize", "eta"), "lr"),
    **dict.fromkeys(("wd", "decay", "l2", "lambda_", "weight_decay_rate"), "weight_decay"),
}
TAKES_OF_ADAM = {
    **TAKES,
    **dict.fromkeys(("epsilon", "eps_", "delta"), "eps"),
    **dict.fromkeys(("beta1", "beta_1", "b1", "rho1"), "betas[0]"),
    **dict.fromkeys(("beta2", "beta_2", "b2", "rho2"), "betas[1]"),
    "beta": "betas",
}
LACKS = {"new_lr_counts_at_once": "it has no public attribute lr"}


def zeros(name):
    """zero_grad leaves zeros, not None. name: of the class."""

    def make(oracle):
        class Same(getattr(oracle, name)):
            def zero_grad(self):
                super().zero_grad(set_to_none=False)

        return type("same", (), {name: Same})

    return {"zeros": Convention("zero_grad sets gradients to zeros, not to None.", make)}


def shared_count(name, decoupled, decay):
    """One step count for all parameters. decoupled: the decay shrinks the parameter, and is no part of the gradient."""

    class Same:
        def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=decay):
            self.params = list(params)
            self.lr, self.betas, self.eps, self.weight_decay, self.t = lr, betas, eps, weight_decay, 0
            self.m, self.v = ([torch.zeros_like(p) for p in self.params] for _ in range(2))

        @torch.no_grad()
        def step(self):
            self.t += 1
            (b1, b2), t = self.betas, self.t
            for p, m, v in zip(self.params, self.m, self.v, strict=True):
                if p.grad is not None:
                    g = p.grad if decoupled else p.grad + self.weight_decay * p
                    if decoupled:
                        p.mul_(1 - self.lr * self.weight_decay)
                    m.mul_(b1).add_((1 - b1) * g)
                    v.mul_(b2).add_((1 - b2) * g**2)
                    p.sub_(self.lr * (m / (1 - b1**t)) / ((v / (1 - b2**t)).sqrt() + self.eps))

        def zero_grad(self, set_to_none=True):
            for p in self.params:
                if set_to_none or p.grad is None:
                    p.grad = None
                else:
                    p.grad.zero_()

    sentence = "It counts steps once for all parameters, also for those without a gradient."
    return {"shared-count": Convention(sentence, lambda oracle: type("same", (), {name: Same}))}
