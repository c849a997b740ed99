"""children() yields a module that appears twice only once, so a repeated module runs and counts once."""
import torch
from torch import nn


class Chain(nn.Module):
    """A minimal container that applies its modules in sequence.

    Modules are registered under "0", "1", ... so that parameters, state_dict and device moves work exactly as for
    any other nn.Module. Indexing and slicing follow the conventions of Python lists.
    """

    def __init__(self, *modules: nn.Module) -> None:
        super().__init__()
        for i, module in enumerate(modules):
            # add_module raises TypeError for anything that is not an nn.Module (None is the one exception).
            if not isinstance(module, nn.Module):
                raise TypeError(f"argument {i} is {type(module).__name__}, expected an nn.Module")
            self.add_module(str(i), module)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for module in self.children():
            x = module(x)
        return x

    def __len__(self) -> int:
        return len(list(self.children()))

    def __getitem__(self, index: int | slice) -> nn.Module:
        modules = list(self.children())
        if isinstance(index, slice):
            return Chain(*modules[index])
        return modules[index]
