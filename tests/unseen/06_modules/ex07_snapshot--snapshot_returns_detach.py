"""(a) snapshot returns detach().cpu() without clone: for a module on the CPU the values are the live weights, so the copy changes with the training. (b) restore_ loads with strict=False, so a missing or an extra name passes without an error."""
import torch
from torch import nn


def snapshot(module: nn.Module) -> dict[str, torch.Tensor]:
    return {name: value.detach().cpu() for name, value in module.state_dict().items()}


def restore_(module: nn.Module, saved: dict[str, torch.Tensor]) -> None:
    with torch.no_grad():
        module.load_state_dict(saved, strict=False)
