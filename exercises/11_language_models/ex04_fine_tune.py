"""Language models 4 of 12: fine-tune only what should learn.

Difficulty 3 of 5, about 20 minutes.
"""

from torch import nn


def fine_tune_groups(model: nn.Module, rates: dict[str, float]) -> list[dict]:
    """Freeze all but some parts of the model, and return a parameter group for each.

    Arguments:
        rates  the learning rate of each part, such as {"head": 0.1, "blocks.1": 0.01}

    A part is a submodule or a parameter, named by its path. Afterwards only the parameters of parts require
    gradients. The part "head" doesn't contain "header.weight". No parameter is in two parts. The groups, in the order of
    rates, have the keys "params" and "lr".

    Example:
        >>> groups = fine_tune_groups(nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1)), {"1": 0.1})
        >>> [(group["lr"], len(group["params"])) for group in groups]
        [(0.1, 2)]

    For full marks:
        * frozen parameters have no .grad left, so that an older optimizer doesn't move them
        * a parameter that two modules share is trained, once, if one of its names is in a part
        * a part without parameters, such as a misspelled one, raises a ValueError
    """
    raise NotImplementedError("11_language_models/ex04_fine_tune: write fine_tune_groups()")


def count_trained(model: nn.Module) -> tuple[int, int]:
    """Return how many numbers are trained, and how many the model's parameters have.

    Example:
        >>> count_trained(nn.Linear(2, 3).requires_grad_(False))
        (0, 9)
    """
    raise NotImplementedError("11_language_models/ex04_fine_tune: write count_trained()")


def train_parts(model: nn.Module) -> None:
    """Put the model in training mode, and each module whose parameters are all frozen in evaluation mode, with all inside it.

    A module without parameters, such as dropout, follows the one around it.

    Pitfall:
        After model.train(), a frozen batch norm still updates its running statistics.
    """
    raise NotImplementedError("11_language_models/ex04_fine_tune: write train_parts()")
