"""Training 7 of 15: is Adam three times faster? Measure it, then say when it is true.

Difficulty 3 of 5, about 20 minutes.
"""

from collections.abc import Callable, Iterable

import torch
from torch import nn

# Your verdict on the claim "Adam needs only a third of the steps of SGD". When steps_to() and race() work,
# let them answer. The setting:
#     data       x = torch.linspace(-torch.pi, torch.pi, 200).unsqueeze(-1), y = x.sin()
#     model      torch.manual_seed(seed), then nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
#     race       threshold 0.05, max_steps 2000, torch.optim.SGD and torch.optim.Adam, nothing but lr given
#     seeds      0, 1, 2, 3, 4: five races; compare the median of SGD's five numbers with the median of Adam's
# Replace each None with one of these strings:
#     "three times fewer"  the median of SGD is at least 3 times the median of Adam: the claim is true
#     "fewer"              Adam needs fewer steps than SGD, but not 3 times fewer
#     "more"               Adam needs more steps than SGD
VERDICT: dict[str, str | None] = {
    "SGD with lr 0.01, Adam with lr 0.01": None,
    "SGD with lr 0.1, Adam with lr 0.01": None,
    "SGD with lr 0.1, Adam with lr 0.001": None,
}


def steps_to(history: list[float], threshold: float) -> int | None:
    """Return the number of updates after which the loss is first below the threshold.

    history[k] is the loss after k updates: history[0] belongs to the untrained model, which may be good enough
    already. The first time counts, even if the loss rises again later. The result is None if it never happens.

    Example:
        >>> steps_to([0.9, 0.5, 0.2, 0.4, 0.1], threshold=0.3)
        2
        >>> print(steps_to([0.9, 0.5], threshold=0.3))
        None

    Pitfall:
        0 steps and "never" are different answers, and both are false in an `if`.

    For full marks:
        * Below means strictly below: a loss equal to the threshold does not count.
        * A loss that is nan is not below anything, and an empty history gives None.
    """
    raise NotImplementedError("07_training/ex07_optimizer_race: write steps_to()")


def race(
    make_model: Callable[[], nn.Module],
    optimizers: dict[str, Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]],
    threshold: float,
    data: tuple[torch.Tensor, torch.Tensor],
    max_steps: int,
) -> dict[str, int | None]:
    """Return how many updates each optimizer needs until the loss is below the threshold.

    make_model() is called once, and each optimizer trains its own copy of that model. The loss is
    ((model(x) - y) ** 2).mean() over all of the data, and each update uses all of it. The losses after 0, 1, 2,
    ... max_steps updates count, so the largest possible number is max_steps; None if none of them is below.

    Arguments:
        make_model  makes a model with random weights; it has no dropout or batch norm
        optimizers  for each name a function that takes the parameters of a model and returns an optimizer
        data        (x, y)
        result      for each name, in the order of `optimizers`, a number of updates or None

    Example:
        >>> def make_model():
        ...     model = torch.nn.Linear(1, 1, bias=False)
        ...     torch.nn.init.zeros_(model.weight)
        ...     return model
        >>> optimizers = {"slow": lambda params: torch.optim.SGD(params, lr=0.01),
        ...               "fast": lambda params: torch.optim.SGD(params, lr=0.4)}
        >>> data = (torch.ones(1, 1), torch.ones(1, 1))
        >>> race(make_model, optimizers, threshold=0.5, data=data, max_steps=10)
        {'slow': None, 'fast': 1}

    Pitfall:
        If each optimizer gets a model from make_model(), a lucky start can win the race.

    For full marks:
        * The models move to the device of x.
        * A loss equal to the threshold is not below it.
    """
    raise NotImplementedError("07_training/ex07_optimizer_race: write race()")
