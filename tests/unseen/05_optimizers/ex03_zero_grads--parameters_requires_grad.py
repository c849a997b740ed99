"""Parameters with requires_grad False are skipped, so the old .grad of a frozen tensor stays, in both modes."""
from collections.abc import Iterable

import torch


def zero_grads(params: Iterable[torch.Tensor], *, set_to_none: bool = True) -> None:
    for p in params:
        if not p.requires_grad or p.grad is None:
            continue
        if set_to_none:
            p.grad = None
        else:
            with torch.no_grad():
                p.grad.zero_()
