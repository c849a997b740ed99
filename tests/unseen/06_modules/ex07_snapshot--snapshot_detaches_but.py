"""(a) snapshot detaches but does not clone; .to("cpu") copies nothing on the CPU, so the copy follows the live weights. (b) restore_ does not compare the names or shapes: a missing name is a KeyError, an extra name is ignored, and a shape that broadcasts is accepted."""
import torch
from torch import nn


def snapshot(module: nn.Module) -> dict[str, torch.Tensor]:
    return {name: t.detach().to("cpu") for name, t in module.state_dict().items()}


def restore_(module: nn.Module, saved: dict[str, torch.Tensor]) -> None:
    live = module.state_dict()
    with torch.no_grad():
        for name in live:
            live[name].copy_(saved[name])
