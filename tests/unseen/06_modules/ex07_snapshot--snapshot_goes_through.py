"""(a) snapshot goes through named_parameters, so buffers (batch norm's running statistics) are missing (and the second name of a shared parameter). (b) restore_ loads with strict=False, so a missing or an extra name raises nothing."""
import torch
from torch import nn


def snapshot(module: nn.Module) -> dict[str, torch.Tensor]:
    return {name: p.detach().to("cpu", copy=True) for name, p in module.named_parameters()}


def restore_(module: nn.Module, saved: dict[str, torch.Tensor]) -> None:
    module.load_state_dict(saved, strict=False)
