"""Training 7 of 10: is Adam three times faster? Measure it, then say when it is true.

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
# Replace each None by one of these strings:
#     "three times fewer"  the median of SGD is at least 3 times the median of Adam: the claim is true
#     "fewer"              Adam needs fewer steps than SGD, but not 3 times fewer
#     "more"               Adam needs more steps than SGD
VERDICT: dict[str, str | None] = {
    "SGD with lr 0.01, Adam with lr 0.01": None,
    "SGD with lr 0.1, Adam with lr 0.01": None,
    "SGD with lr 0.1, Adam with lr 0.001": None,
}


def steps_to(history: list[float], threshold: float) -> int | None:
    """Return after how many updates the loss first lay below the threshold.

    history[k] is the loss after k updates: history[0] belongs to the untrained model.

    Edge cases:
        * Below means strictly below: a loss equal to the threshold does not count.
        * The first time counts, even if the loss rises again later.
        * The untrained model may be good enough already: then the answer is 0.
        * None if it never happens, also for an empty history. A loss that is nan is not below anything.
        * history is not changed.

    Example:
        >>> steps_to([0.9, 0.5, 0.2, 0.4, 0.1], threshold=0.3)
        2
        >>> print(steps_to([0.9, 0.5], threshold=0.3))
        None

    Pitfall:
        0 steps and "never" are different answers, and both are false in an `if`.
    """
    raise NotImplementedError("07_training/ex07_optimizer_race: write steps_to()")


def race(
    make_model: Callable[[], nn.Module],
    optimizers: dict[str, Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]],
    threshold: float,
    data: tuple[torch.Tensor, torch.Tensor],
    max_steps: int,
) -> dict[str, int | None]:
    """Return how many updates each optimizer needs until the loss lies below the threshold.

    Arguments:
        make_model  makes a model with random weights; it has no dropout or batch norm
        optimizers  for each name a function that takes the parameters of a model and returns an optimizer for
                    them
        data        x and y, of the shapes that model(x) and y have in ((model(x) - y) ** 2).mean(); one
                    device
        result      for each name, in the order of `optimizers`, a number of updates or None

    Rules of the race:
        * The same start for all: make_model() is called exactly once, and each contestant trains a copy of
          its own of that model, moved to the device of x. The order in which they run makes no difference.
        * The loss is the mean squared error over all of the data, and each update uses all of it.
        * The losses after 0, 1, 2, ... max_steps updates are looked at, so the largest possible number is
          max_steps. The number counts updates until the loss is strictly below the threshold for the first
          time; None if that does not happen. You may stop a contestant who has arrived.
        * Losses that become inf or nan are no error: that contestant does not arrive.

    Edge cases:
        * max_steps may be 0, and the untrained model may already be below the threshold: 0.
        * Two contestants may need the same number. `optimizers` may be empty: the result is {}.
        * x and y are not changed.

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
        If each contestant gets a model from make_model(), a lucky start can win the race.
    """
    raise NotImplementedError("07_training/ex07_optimizer_race: write race()")
