"""It counts parameter tensors instead of the numbers in them."""
from torch import nn


def count_parameters(module: nn.Module, trainable_only: bool = False) -> int:
    params = list(module.parameters())
    if trainable_only:
        params = [p for p in params if p.requires_grad]
    return len(params)
