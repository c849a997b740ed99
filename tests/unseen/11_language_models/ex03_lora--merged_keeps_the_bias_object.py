"""merged() makes a new weight, but hands the bias of the base on as it is: the new layer holds the same Parameter. An edit of one bias changes the other, and the stub says that they share no memory. The outputs are right, so a comparison of outputs does not show it."""

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad = False
        self.scale = alpha / rank
        w = base.weight
        self.a = nn.Parameter(torch.randn(rank, base.in_features, dtype=w.dtype, device=w.device) / rank)
        self.b = nn.Parameter(torch.zeros(base.out_features, rank, dtype=w.dtype, device=w.device))

    def forward(self, x):
        change = (x @ self.a.T) @ self.b.T
        return self.base(x) + self.scale * change

    def merged(self):
        w = self.base.weight
        layer = nn.Linear(
            self.base.in_features, self.base.out_features, bias=self.base.bias is not None, dtype=w.dtype, device=w.device
        )
        with torch.no_grad():
            layer.weight.copy_(w + self.scale * (self.b @ self.a))
        if self.base.bias is not None:
            layer.bias = self.base.bias
        return layer


def adapter_state(model):
    wanted = set()
    for name, module in model.named_modules():
        if isinstance(module, LoRALinear):
            start = name + "." if name else ""
            wanted.add(start + "a")
            wanted.add(start + "b")
    return {key: value for key, value in model.state_dict().items() if key in wanted}
