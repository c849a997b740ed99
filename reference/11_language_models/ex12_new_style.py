"""Reference solution: a small layer beside each frozen one, and both texts in each batch."""

import copy

import torch
from torch import nn
from torch.nn import functional as F


class Adapted(nn.Module):
    """A linear layer plus the scaled product of two small matrices."""

    def __init__(self, base: nn.Linear, rank: int, alpha: float):
        super().__init__()
        self.base, self.scale = base, alpha / rank
        self.a = nn.Parameter(torch.randn_like(base.weight[:1].expand(rank, -1)) / base.in_features**0.5)
        self.b = nn.Parameter(base.weight.new_zeros(base.out_features, rank))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.base(x) + self.scale * (x @ self.a.T @ self.b.T)


def add_adapters(model: nn.Module, rank: int, alpha: float) -> None:
    """Freeze the model, and give each nn.Linear in it an adapter."""
    model.requires_grad_(False)
    for name, layer in list(model.named_modules()):
        if isinstance(layer, nn.Linear):
            model.set_submodule(name, Adapted(layer, rank, alpha))


def teach(
    model: nn.Module,
    old: tuple[torch.Tensor, torch.Tensor],
    new: tuple[torch.Tensor, torch.Tensor],
    steps: int,
    batch: int,
    lr: float,
    generator: torch.Generator | None = None,
) -> tuple[list[float], list[float]]:
    """Train what requires gradients on a new text without forgetting the old one, and return the losses on both held-out texts."""
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=lr)
    windows = [text.unfold(0, model.context + 1, 1) for text, _ in (old, new)]
    losses = [[model.mean_loss(held_out)] for _, held_out in (old, new)]
    for step in range(1, steps + 1):
        drawn = torch.cat([some[torch.randint(len(some), (batch,), generator=generator)] for some in windows])
        loss = F.cross_entropy(model(drawn[:, :-1]).flatten(0, 1), drawn[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            for curve, (_, held_out) in zip(losses, (old, new), strict=True):
                curve.append(model.mean_loss(held_out))
    return losses[0], losses[1]


def adapters_alone(model: nn.Module) -> dict[str, torch.Tensor]:
    """Return the a and b of all adapters: the entries of model.state_dict() that have to be saved, as copies."""
    return {name: p.detach().clone() for name, p in model.named_parameters() if p.requires_grad}


def without_adapters(model: nn.Module) -> nn.Module:
    """Return a copy of the model that gives the same logits with its nn.Linear layers alone."""
    result = copy.deepcopy(model)
    for name, layer in list(result.named_modules()):
        if isinstance(layer, Adapted):
            with torch.no_grad():
                layer.base.weight += layer.scale * (layer.b @ layer.a)
            result.set_submodule(name, layer.base)
    return result
