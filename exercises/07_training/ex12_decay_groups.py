"""Training 12 of 15: weight decay for matrices, not for biases and norms.

Difficulty 2 of 5, about 8 minutes.
"""

from torch import nn


def decay_groups(model: nn.Module, weight_decay: float) -> list[dict]:
    """Return two parameter groups for an optimizer: parameters that decay, and parameters that don't.

    The first group has the parameters with two or more axes: the weights of linear layers, convolutions and embeddings.
    It has the given weight decay. The second group has all others: biases, and the weights of norm layers. It has a
    weight decay of 0.

    Shapes:
        result  a list of two dicts, each with the keys "params", a list in the order of model.parameters(), and
                "weight_decay", a float

    Example:
        >>> groups = decay_groups(nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3)), 0.1)
        >>> [(group["weight_decay"], [tuple(p.shape) for p in group["params"]]) for group in groups]
        [(0.1, [(3, 2)]), (0.0, [(3,), (3,), (3,)])]

    Pitfall:
        The name doesn't tell: what a norm layer multiplies by is called "weight", too.

    For full marks:
        * frozen parameters, those that don't require gradients, are in neither group
        * a parameter that two modules share is in one group, once
    """
    raise NotImplementedError("07_training/ex12_decay_groups: write decay_groups()")
