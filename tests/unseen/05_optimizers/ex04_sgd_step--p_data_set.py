"""p.data is set to a new tensor instead of being changed in place: data_ptr() changes, and a view (or another tensor with the same memory) doesn't see the step."""
from collections.abc import Iterable

import torch


def sgd_step_(params: Iterable[torch.Tensor], lr: float) -> None:
    for p in params:
        if p.grad is not None:
            p.data = p.data - lr * p.grad.data
