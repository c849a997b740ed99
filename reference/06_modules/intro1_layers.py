"""Reference solution for make_layer, parameter_shapes and freeze."""

from torch import nn


def make_layer(n_in: int, n_out: int) -> nn.Linear:
    """Return a new linear layer, with bias, that maps n_in numbers to n_out numbers."""
    return nn.Linear(n_in, n_out)


def parameter_shapes(module: nn.Module) -> dict[str, tuple[int, ...]]:
    """Return the shape of each parameter of a module, by its name."""
    return {name: tuple(p.shape) for name, p in module.named_parameters()}


def freeze(module: nn.Module) -> None:
    """Make all parameters of a module constants: requires_grad is False for each of them."""
    for p in module.parameters():
        p.requires_grad = False
