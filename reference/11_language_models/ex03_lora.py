"""Reference solution: two small matrices beside a frozen layer."""

import copy

import torch
from torch import nn


class LoRALinear(nn.Module):
    """A frozen linear layer with a trained change of low rank."""

    def __init__(self, base: nn.Linear, rank: int, alpha: float):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.scale = alpha / rank
        self.a = nn.Parameter(torch.randn_like(base.weight[:1].expand(rank, -1)))
        self.b = nn.Parameter(base.weight.new_zeros(base.out_features, rank))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return base(x) + alpha / rank * (x a^T) b^T."""
        return self.base(x) + self.scale * (x @ self.a.T @ self.b.T)

    def merged(self) -> nn.Linear:
        """Return a new nn.Linear that computes the same; the base is unchanged and shares no memory with it."""
        result = copy.deepcopy(self.base)
        with torch.no_grad():
            result.weight += self.scale * (self.b @ self.a)
        return result


def adapter_state(model: nn.Module) -> dict[str, torch.Tensor]:
    """Return the entries of model.state_dict() that are the a and b of a LoRALinear, under the same names."""
    layers = [name for name, module in model.named_modules() if isinstance(module, LoRALinear)]
    wanted = {f"{name}.{part}".lstrip(".") for name in layers for part in ("a", "b")}
    return {name: value for name, value in model.state_dict().items() if name in wanted}
