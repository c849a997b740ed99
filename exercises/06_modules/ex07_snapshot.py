"""Modules 7 of 7: save the state of a model, and restore it.

Difficulty 3 of 5, about 15 minutes.
"""

import torch
from torch import nn


def snapshot(module: nn.Module) -> dict[str, torch.Tensor]:
    """Return a copy of the module's state on the CPU, by name.

    The result is a dict (an OrderedDict is fine too) with exactly the keys of module.state_dict(): parameters
    and buffers. Every value is a tensor on the CPU with its own memory, same shape and dtype, requires_grad
    False. What happens to the module later does not change the copy, and the module is not changed.

    Example:
        >>> layer = nn.Linear(1, 1)
        >>> best = snapshot(layer)
        >>> with torch.no_grad():
        ...     _ = layer.weight.add_(1)
        >>> restore_(layer, best)
        >>> torch.equal(layer.weight, best["weight"])
        True

    Pitfall:
        state_dict() copies nothing: its tensors are the live weights under another name.
    """
    raise NotImplementedError("06_modules/ex07_snapshot: write snapshot()")


def restore_(module: nn.Module, saved: dict[str, torch.Tensor]) -> None:
    """Write a saved state back into the module, in place.

    `saved` is what snapshot returned for this module, or for another one with the same layers; its keys may
    be in another order. Values go to the entry of the same name. `saved` is not changed, not even by later
    training of the module: one copy can be restored many times.
    Parameters and buffers stay the same tensor objects with the same memory, device and requires_grad: an
    optimizer that was built before still works. The .grad of the parameters is not changed.

    For full marks:
        * A missing name, an extra name or a different shape raises RuntimeError.
        * Both functions work inside torch.no_grad().
    """
    raise NotImplementedError("06_modules/ex07_snapshot: write restore_()")
