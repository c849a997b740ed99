import copy
import math

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        self.base.requires_grad_(False)
        self.scale = alpha / rank
        self.a = nn.Parameter(torch.empty(rank, base.in_features))
        self.b = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.a, a=math.sqrt(5))

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.a.T @ self.b.T)

    @torch.no_grad()
    def merged(self):
        linear = copy.deepcopy(self.base)
        linear.weight += self.scale * (self.b @ self.a)
        return linear


def adapter_state(model):
    adapters = [name for name, module in model.named_modules() if isinstance(module, LoRALinear)]
    names = {f"{adapter}.{p}" for adapter in adapters for p in ("a", "b")}
    return {name: value for name, value in model.state_dict().items() if name in names}
