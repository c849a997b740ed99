"""p.data = ... gives the parameter a new memory instead of changing the old one in place; views and other holders of the memory don't see the step."""
from collections.abc import Iterable

import torch


def sgd_step_(params: Iterable[torch.Tensor], lr: float) -> None:
    for p in params:
        if p.grad is None:
            continue
        p.data = p.data - lr * p.grad
