"""Hidden checks for steps_to, race and VERDICT."""

import math

import torch
from torch import nn

from torchdojo.grading import NotYet, check

CONCEPTS = ("I10", "I11")

KEPT = {"finds_the_first_time_below": "the task itself, worth points without equal losses, nan and empty histories"}


class oracle:
    """One contestant after the other, each from a model that was filled with the first weights again."""

    def steps_to(history, threshold):
        updates = 0
        for loss in history:
            if loss - threshold < 0:
                return updates
            updates += 1
        return None

    def race(make_model, optimizers, threshold, data, max_steps):
        x, y = data
        model = make_model().to(x.device)
        start = [p.detach().clone() for p in model.parameters()]
        result = {}
        for name, make_optimizer in optimizers.items():
            held = list(model.parameters())
            with torch.no_grad():
                for p, first in zip(held, start, strict=True):
                    p.copy_(first)
            opt, result[name] = make_optimizer(held), None
            for updates in range(max_steps + 1):
                loss = ((model(x) - y) ** 2).mean()
                if loss.item() < threshold:
                    result[name] = updates
                    break
                for p, gradient in zip(held, torch.autograd.grad(loss, held), strict=True):
                    p.grad = gradient
                opt.step()
        return result


class Factory:
    """Makes a network on the CPU, each time with other weights, and counts."""

    def __init__(self, like):
        self.made, self.dtype = 0, like.dtype

    def __repr__(self):
        return "make_model"

    def __call__(self):
        self.made += 1
        model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 2)).to("cpu", self.dtype)
        with torch.no_grad():
            for k, p in enumerate(model.parameters()):
                p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + self.made).sin().reshape(p.shape))
        return model


def line(places):
    """A model that multiplies by zero, and notes on which devices its inputs are; a copy of it notes them, too."""

    class Line(nn.Linear):
        def forward(self, x):
            places.add(x.device.type)
            return super().forward(x)

    model = Line(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    return model


def gaps(result, most):
    """How many updates each needs more than the first to arrive: how they are counted is tested by another check."""
    arrived = {name: n for name, n in result.items() if n is not None and n <= most}
    return [[name, arrived[name] - min(arrived.values()) if name in arrived else "never"] for name in result]


def shown(updates):
    """None is an answer here, which a message should not take for a missing return."""
    return "None: never" if updates is None else updates


def sgd(lr, **options):
    return lambda params: torch.optim.SGD(params, lr=lr, **options)


def adam(lr):
    return lambda params: torch.optim.Adam(params, lr=lr)


CONTESTANTS = {
    "still": sgd(0.0),
    "adam": adam(0.1),
    "small steps": sgd(0.02),
    "momentum": sgd(0.05, momentum=0.8),
    "again": sgd(0.02),
    "too large": sgd(1e6),
    "swings": sgd(0.2, momentum=2.0),  # arrives, and is far away again soon after
}
ORDERS = [list(CONTESTANTS), list(CONTESTANTS)[::-1], ["swings", "adam"], []]

NAN, INF = math.nan, math.inf
PLAIN = [
    ([0.9, 0.5, 0.2, 0.4, 0.1], 0.3),
    ([0.9, 0.5, 0.25, 0.4, 0.1], 0.2),
    ([0.7, 0.4, 0.35, 0.9], 0.375),
    ([3.0, 2.0, 1.0], 0.5),
    ([0.7], 0.5),
    ([1.0, -1.0, -2.0], 0.5),
    ([0.2, 0.9, 0.1], 0.3),
    ([0.2], 0.5),
]
EDGES = [
    ([0.9, 0.5, 0.2, 0.4, 0.1], 0.2),
    ([0.3, 0.3, 0.25], 0.3),
    ([0.3, 0.3], 0.3),
    ([], 0.5),
    ([NAN, 0.4, 0.2], 0.5),
    ([NAN, NAN], 0.5),
    ([2.0, INF, NAN], 0.5),
    ([INF, 0.75, 0.25], 0.5),
    ([0.1, NAN], 0.5),
    ([3.0, 2.0, 1.0], 0.0),
    ([0.3, 0.3 - 1e-12, 0.1], 0.3),  # in float32 the first two are the same
]

# Medians over the seeds 0 to 4: SGD 0.01 959, SGD 0.1 97, Adam 0.01 67, Adam 0.001 510. The ratios are 14.3, 1.4, 0.2.
WORDS = ("three times fewer", "fewer", "more")
RACES = {
    "SGD with lr 0.01, Adam with lr 0.01": (959, 67),
    "SGD with lr 0.1, Adam with lr 0.01": (97, 67),
    "SGD with lr 0.1, Adam with lr 0.001": (97, 510),
}

WHY = {
    "SGD with lr 0.01, Adam with lr 0.01": "SGD needs 959 updates, Adam 67 (medians over the seeds 0 to 4). 0.01 is small for SGD, whose step is the gradient times that.",
    "SGD with lr 0.1, Adam with lr 0.01": "SGD needs 97 updates, Adam 67 (medians over the seeds 0 to 4): fewer, but more than a third as many.",
    "SGD with lr 0.1, Adam with lr 0.001": "SGD needs 97 updates, Adam 510 (medians over the seeds 0 to 4). Adam does not win whatever the learning rate is: 0.001 is small.",
}


@check(points=2, case=PLAIN, devices=False)
def finds_the_first_time_below(solution, case):
    """The first loss below the threshold counts; if there is none, the result is None."""
    history = list(case[0])
    return {"updates": shown(solution.steps_to(history, case[1])), "history": history}


@check(points=1, star=True, case=EDGES, devices=False)
def knows_both_ends_of_below(solution, case):
    """A loss equal to the threshold is not below it, and neither is nan."""
    history = list(case[0])
    return {"updates": shown(solution.steps_to(history, case[1])), "history": history}


# With these data nobody arrives after 9 to 15 updates, so 12 are enough or too few however updates are counted.
DATA = [(76, "float64"), (90, "float32")]


@check(points=3, data=DATA, order=ORDERS, threshold=[0.5, 0.2], devices=False)
def everyone_starts_alike(solution, data, order, threshold):
    """One model is created, and the order of the optimizers does not matter."""
    (number, dtype), numbers = data, torch.arange(12, dtype=torch.float64)
    waves = (numbers * (number + 0.7)).sin(), (numbers * (number + 1.3)).cos()
    x, y = (wave.mul(8).round().div(8).reshape(6, 2).to(getattr(torch, dtype)) for wave in waves)
    factory = Factory(x)
    result = solution.race(factory, {name: CONTESTANTS[name] for name in order}, threshold, (x, y), 12)
    found = {"updates after the first to arrive": gaps(result, 12), "models made": factory.made}
    return found | {"the result is": type(result).__name__}


# on this line an update with lr 0.25 halves the error: 64, 16, 4, 1, 0.25, ...; a momentum of 2 overshoots
ALONE = {"half": sgd(0.25), "swings": sgd(0.25, momentum=2.0), "away": sgd(2.0), "still": sgd(0.0)}


def raced(solution, name, threshold, max_steps, rows, device):
    """What one contestant needs."""
    data = torch.ones(1, 1, device=device), torch.full((1, 1), 8.0, device=device)
    if rows > 1:  # the same loss and gradients as from one row, but for what the first three quarters say alone
        data = tuple(torch.cat([torch.zeros(rows - rows // 4, 1, device=device), 2 * t.expand(rows // 4, 1)]) for t in data)
    result = solution.race(lambda: line(set()), {name: ALONE[name]}, threshold, data, max_steps)
    return {"updates": shown(result[name])}


@check(
    points=2, name=list(ALONE), threshold=[65.0, 60.0, 15.0, 0.2], max_steps=[3, 0, 2, 8], rows=[1, 256],
    examples=[
        {"name": "half", "threshold": 1.5 * 2.0**-30, "max_steps": 20, "rows": 1}, {"name": "half", "threshold": 15.0, "max_steps": 2, "rows": 1},
        {"name": "still", "threshold": 15.0, "max_steps": 8, "rows": 1}, {"name": "away", "threshold": 15.0, "max_steps": 3, "rows": 1},
        {"name": "half", "threshold": 15.0, "max_steps": 3, "rows": 256}, {"name": "swings", "threshold": 0.2, "max_steps": 8, "rows": 1},
        {"name": "half", "threshold": 15.0, "max_steps": 1, "rows": 1}, {"name": "half", "threshold": 65.0, "max_steps": 0, "rows": 1},
    ],
    devices=False,
)  # fmt: skip
def looks_at_every_loss(solution, name, threshold, max_steps, rows, device):
    """The losses over all of the data after 0 to max_steps updates count."""
    return raced(solution, name, threshold, max_steps, rows, device)


def raced_by_two(solution, threshold, device):
    """What two contestants need, one compared with the other, and where their models ran."""
    places = set()
    data = torch.ones(1, 1, device=device), torch.full((1, 1), 8.0, device=device)
    result = solution.race(lambda: line(places), {"half": sgd(0.25), "fast": sgd(0.4)}, threshold, data, 8)
    return {"updates after the first to arrive": gaps(result, 8), "devices of the model's inputs": sorted(places) or ["none: it was never called"]}


@check(points=1, star=True, threshold=[15.0, 0.2], about_device=True)
def runs_where_the_data_are(solution, threshold, device):
    """The models move to the device of x."""
    return raced_by_two(solution, threshold, device)


@check(points=1, star=True, threshold=[64.0, 16.0, 4.0], devices=False)
def race_wants_less_than_the_threshold(solution, threshold, device):
    """In the race, a loss equal to the threshold is not yet below it."""
    return raced_by_two(solution, threshold, device)


@check(points=2, devices=False)
def verdict_agrees_with_the_race(solution):
    """Your verdict on each claim agrees with the five races."""
    answers = solution.VERDICT
    if all(answers.get(claim) is None for claim in RACES):
        raise NotYet()
    return dict(answers)


@verdict_agrees_with_the_race.judge
def _(answers):
    if sorted(answers) != sorted(RACES):
        return "the keys of VERDICT have changed; restore those of the stub"
    unknown = [claim for claim, answer in answers.items() if answer not in WORDS]
    if unknown:
        return f"{unknown[0]}: the answer is none of the three strings"
    for claim, (slow, fast) in RACES.items():
        right = "more" if fast > slow else "three times fewer" if slow >= 3 * fast else "fewer"
        if answers[claim] != right:
            return f"{claim}: your verdict disagrees with the medians of the five races", WHY[claim]
