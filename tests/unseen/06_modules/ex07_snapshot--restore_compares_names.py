"""restore_ compares the names but not the shapes: copy_ broadcasts, so a saved bias of shape (1,) is silently written into a bias of shape (3,) instead of raising RuntimeError."""
import torch
from torch import nn


def snapshot(module: nn.Module) -> dict[str, torch.Tensor]:
    copy = {}
    for name, tensor in module.state_dict().items():
        copy[name] = tensor.detach().to("cpu", copy=True)
    return copy


def restore_(module: nn.Module, saved: dict[str, torch.Tensor]) -> None:
    own = module.state_dict()
    difference = own.keys() ^ saved.keys()
    if difference:
        raise RuntimeError(f"the saved state does not fit: {sorted(difference)}")
    with torch.no_grad():
        for name, tensor in own.items():
            tensor.copy_(saved[name])
