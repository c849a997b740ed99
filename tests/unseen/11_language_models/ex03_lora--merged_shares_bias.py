"""merged() puts the base's own bias Parameter into the new layer, so the two share memory."""
import torch
from torch import nn


class LoRALinear(nn.Module):
    """Low-rank adaptation of a frozen nn.Linear."""

    def __init__(self, base: nn.Linear, rank: int, alpha: float):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        w = base.weight
        self.scale = alpha / rank
        self.a = nn.Parameter(torch.randn(rank, base.in_features, dtype=w.dtype, device=w.device) * 0.02)
        self.b = nn.Parameter(torch.zeros(base.out_features, rank, dtype=w.dtype, device=w.device))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Frozen path plus scaled low-rank update."""
        return self.base(x) + self.scale * (x @ self.a.T) @ self.b.T

    @torch.no_grad()
    def merged(self) -> nn.Linear:
        """Fold the update into a standalone layer for fast inference."""
        w = self.base.weight
        has_bias = self.base.bias is not None
        layer = nn.Linear(self.base.in_features, self.base.out_features, bias=has_bias, dtype=w.dtype, device=w.device)
        layer.weight.copy_(w + self.scale * self.b @ self.a)
        if has_bias:
            layer.bias = self.base.bias
        return layer


def adapter_state(model: nn.Module) -> dict[str, torch.Tensor]:
    """Collect only the adapter tensors, for a small checkpoint."""
    state = model.state_dict()
    names = set()
    for prefix, module in model.named_modules():
        if isinstance(module, LoRALinear):
            dot = prefix + "." if prefix else ""
            names |= {dot + "a", dot + "b"}
    return {name: value for name, value in state.items() if name in names}
