"""Modules bonus 1: your own nn.Sequential.

Difficulty 3 of 5, about 15 minutes.
"""

import torch
from torch import nn


class Chain(nn.Module):
    """Run modules one after another, each on the result of the previous one.

    The modules are children named "0", "1", and so on, so parameters have names such as "0.weight".

    forward(x)  the last module's result. Each module is called, so that its hooks run
    len(chain)  how many modules
    chain[i]    the module at index i; negative indices count from the end; IndexError if out of range
    chain[a:b]  a new Chain of these modules (the same module objects, not copies), named from "0" again;
                slices with steps work too, and may be empty

    A for loop over a chain yields its modules in order, even inside another loop over the same chain.
    train(), eval() and to() reach all modules, and gradients flow back through all of them.

    Example:
        >>> chain = Chain(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
        >>> len(chain), chain[-1], len(chain[:2])
        (3, Linear(in_features=4, out_features=1, bias=True), 2)
        >>> [name for name, _ in chain.named_parameters()]
        ['0.weight', '0.bias', '2.weight', '2.bias']

    Pitfall:
        Modules in a plain Python list are invisible: no parameters, no state, no train() or eval().

    Not allowed: nn.Sequential (then this exercise is not done). Call the modules one after another yourself.

    For full marks:
        * The same module may appear more than once: it runs, counts and is indexed at each of its positions,
          while parameters() yields its parameters once.
        * A chain may be empty: forward returns x itself. It may have ten or more modules, in their order.
        * The constructor raises TypeError for anything that is not an nn.Module, such as a plain function.
    """

    def __init__(self, *modules: nn.Module) -> None:
        """Register the modules under their indices."""
        super().__init__()
        raise NotImplementedError("06_modules/bonus1_chain: write Chain.__init__()")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Pass x through all modules."""
        raise NotImplementedError("06_modules/bonus1_chain: write Chain.forward()")

    def __len__(self) -> int:
        """Count the modules."""
        raise NotImplementedError("06_modules/bonus1_chain: write Chain.__len__()")

    def __getitem__(self, index: int | slice) -> nn.Module:
        """Return one module, or a Chain of several."""
        raise NotImplementedError("06_modules/bonus1_chain: write Chain.__getitem__()")
