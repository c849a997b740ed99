"""Reference solution for Chain."""

import torch
from torch import nn


class Chain(nn.Module):
    """Run modules one after another, each on the result of the previous one."""

    def __init__(self, *modules: nn.Module) -> None:
        """Register the modules under their indices."""
        super().__init__()
        for place, module in enumerate(modules):
            self.add_module(str(place), module)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Pass x through all modules."""
        for module in self:
            x = module(x)
        return x

    def __len__(self) -> int:
        """Count the modules."""
        return len(self._modules)

    def __getitem__(self, index: int | slice) -> nn.Module:
        """Return one module, or a Chain of several."""
        places = list(self._modules.values())
        return Chain(*places[index]) if isinstance(index, slice) else places[index]
