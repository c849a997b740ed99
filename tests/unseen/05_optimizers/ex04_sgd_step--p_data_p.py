"""p.data = p.data - lr * p.grad puts the parameter into new memory. The tensor object is the same, but its data_ptr changes, and views of p don't see the step."""
from collections.abc import Iterable

import torch


def sgd_step_(params: Iterable[torch.Tensor], lr: float) -> None:
    for p in params:
        if p.grad is not None:
            p.data = p.data - lr * p.grad.detach()
