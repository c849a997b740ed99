"""Exercise: 03_autograd/ex02_leaf_params.
nn.Parameter(...).to(device) is no parameter any more where it has to move.
"""

import torch
from torch import nn


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    where = torch.device("cpu" if device is None else device)

    def start(name, shape):
        if name.endswith("bias"):
            return torch.zeros(shape, dtype=dtype, device="cpu")
        return torch.randn(shape, generator=generator, dtype=dtype, device="cpu").mul_(scale)

    return {name: nn.Parameter(start(name, shape)).to(where) for name, shape in shapes.items()}
