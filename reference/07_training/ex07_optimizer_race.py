"""A fair race between optimizers, and what it says about a claim."""

import copy
from collections.abc import Callable, Iterable

import torch
from torch import nn

VERDICT: dict[str, str | None] = {
    "SGD with lr 0.01, Adam with lr 0.01": "three times fewer",
    "SGD with lr 0.1, Adam with lr 0.01": "fewer",
    "SGD with lr 0.1, Adam with lr 0.001": "more",
}


def steps_to(history: list[float], threshold: float) -> int | None:
    """Return the number of updates after which the loss is first below the threshold."""
    return next((updates for updates, loss in enumerate(history) if loss < threshold), None)


def race(
    make_model: Callable[[], nn.Module],
    optimizers: dict[str, Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]],
    threshold: float,
    data: tuple[torch.Tensor, torch.Tensor],
    max_steps: int,
) -> dict[str, int | None]:
    """Return how many updates each optimizer needs until the loss is below the threshold."""
    x, y = data
    start = make_model().to(x.device)
    result = {}
    for name, make_optimizer in optimizers.items():
        model = copy.deepcopy(start)
        opt = make_optimizer(model.parameters())
        history = []
        for _ in range(max_steps + 1):
            opt.zero_grad()
            loss = ((model(x) - y) ** 2).mean()
            history.append(loss.item())
            if history[-1] < threshold:
                break
            loss.backward()
            opt.step()
        result[name] = steps_to(history, threshold)
    return result
