"""__iter__ resets a counter on the chain and returns the chain itself as iterator. Two loops over the same chain share the counter, so a nested loop ends the outer one after its first module."""
import torch
from torch import nn


class Chain(nn.Module):
    def __init__(self, *modules: nn.Module) -> None:
        super().__init__()
        for i, module in enumerate(modules):
            if not isinstance(module, nn.Module):
                raise TypeError(f"argument {i} is a {type(module).__name__}, not a module")
            self.add_module(str(i), module)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for module in self._modules.values():
            x = module(x)
        return x

    def __len__(self) -> int:
        return len(self._modules)

    def __getitem__(self, index: int | slice) -> nn.Module:
        modules = list(self._modules.values())
        if isinstance(index, slice):
            return Chain(*modules[index])
        return modules[index]

    def __iter__(self):
        self._next = 0
        return self

    def __next__(self) -> nn.Module:
        if self._next >= len(self):
            raise StopIteration
        self._next += 1
        return self[self._next - 1]
