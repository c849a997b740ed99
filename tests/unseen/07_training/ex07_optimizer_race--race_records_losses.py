"""race records the losses after 0 ... max_steps - 1 updates only: the loss after the last update is never looked at, so an optimizer that gets there with exactly max_steps updates gives None (and with max_steps=0 always None)."""
import copy
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
    "SGD with lr 0.01, Adam with lr 0.01": "three times fewer",
    "SGD with lr 0.1, Adam with lr 0.01": "fewer",
    "SGD with lr 0.1, Adam with lr 0.001": "more",
}


def steps_to(history: list[float], threshold: float) -> int | None:
    return next((k for k, loss in enumerate(history) if loss < threshold), None)


def race(
    make_model: Callable[[], nn.Module],
    optimizers: dict[str, Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]],
    threshold: float,
    data: tuple[torch.Tensor, torch.Tensor],
    max_steps: int,
) -> dict[str, int | None]:
    x, y = data
    start = make_model().to(x.device)
    result = {}
    for name, make_optimizer in optimizers.items():
        model = copy.deepcopy(start)
        opt = make_optimizer(model.parameters())
        history = []
        for _ in range(max_steps):
            loss = ((model(x) - y) ** 2).mean()
            history.append(loss.item())
            opt.zero_grad()
            loss.backward()
            opt.step()
        result[name] = steps_to(history, threshold)
    return result
