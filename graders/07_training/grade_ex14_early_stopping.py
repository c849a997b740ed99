"""Hidden checks for train_until_best: when it stops, and which state comes back."""

import math

import torch
from torch import nn

from torchdojo.grading import built, check

CONCEPTS = ("I23", "I19")

KEPT = {
    "the_best_weights_come_back": "the parameters, worth points though buffers may be missing",
}


class oracle:
    """Looks back at the whole list of losses after each epoch, and notes every state."""

    def train_until_best(model, train_epoch, validate, patience, max_epochs):
        def snapshot():
            return [t.detach().clone() for t in (*model.parameters(), *model.buffers())]

        losses, states = [], [snapshot()]

        def best():
            """The number of the best epoch, from 1 on; 0 if none is better than nothing."""
            numbers = [loss for loss in losses if loss == loss]
            return losses.index(min(numbers)) + 1 if numbers else 0

        while len(losses) < max_epochs and len(losses) - best() < patience:
            train_epoch()
            losses.append(validate())
            states.append(snapshot())
        with torch.no_grad():
            for t, value in zip((*model.parameters(), *model.buffers()), states[best()], strict=True):
                t.copy_(value)
        return losses


class Run:
    """A model that counts its epochs in a parameter and in a buffer, with a list of losses to come."""

    def __init__(self, losses):
        self.model, self.losses, self.calls = nn.BatchNorm1d(2), list(losses), []
        with torch.no_grad():
            self.model.weight.zero_()

    def train_epoch(self):
        self.calls.append("train")
        with torch.no_grad():
            self.model.weight.add_(1.0)
            self.model.running_mean.add_(0.25)
            self.model.num_batches_tracked.add_(1)

    def validate(self):
        self.calls.append("validate")
        return self.losses[self.calls.count("validate") - 1]

    def by(self, solution, patience, max_epochs):
        return solution.train_until_best(self.model, self.train_epoch, self.validate, patience, max_epochs)


# Few different numbers, so that losses are often equal.
LOSSES = built(lambda case: [case.rng.randint(4, 8) / 4 for _ in range(12)])
FALLING = [3.0, 2.5, 2.75, 2.0, 2.25, 2.5, 1.5, 1.75, 2.0, 2.25, 1.0, 3.0]


@check(points=3, losses=LOSSES, patience=[1, 2, 3], examples=[{"losses": FALLING, "patience": p} for p in (1, 2, 3)], devices=False)
def stops_in_time(solution, losses, patience):
    """Training stops after `patience` epochs in a row that are not better."""
    run = Run(losses)
    return {"losses": [float(loss) for loss in run.by(solution, patience, 12)]}


@check(points=2, max_epochs=[0, 1, 3, 4], devices=False)
def makes_at_most_max_epochs(solution, max_epochs):
    """There are at most max_epochs epochs, and each trains first and validates then."""
    run = Run([5.0 - k / 4 for k in range(12)])
    history = run.by(solution, 12, max_epochs)
    return {"losses": [float(loss) for loss in history], "order of calls": run.calls}


@check(points=3, best=[1, 3, 4], patience=[3], devices=False)
def the_best_weights_come_back(solution, best, patience):
    """The parameters are those after the best epoch."""
    run = Run([9.0 - k for k in range(best)] + [20.0 + k for k in range(12)])
    run.by(solution, patience, best + patience)
    return {"weights": run.model.weight.detach().clone()}


@check(points=1, best=[1, 3], patience=[3], devices=False)
def buffers_come_back(solution, best, patience):
    """The buffers are those after the best epoch."""
    run = Run([9.0 - k for k in range(best)] + [20.0 + k for k in range(12)])
    run.by(solution, patience, best + patience)
    return {"buffers": {name: t.clone() for name, t in run.model.named_buffers()}}


NANS = [[math.nan, 2.0, math.nan, 1.0, math.nan, math.nan, 0.5], [math.nan] * 7]


@check(points=1, star=True, losses=NANS, devices=False)
def nan_is_not_better(solution, losses):
    """A loss of nan counts as not better; without a better epoch the first weights come back."""
    run = Run(losses)
    history = run.by(solution, 2, 7)
    return {"epochs": len(history), "weights": run.model.weight.detach().clone()}


@check(points=1, star=True, best=[2], devices=False, beside=True)
def parameters_stay_the_same_objects(solution, best):
    """The best weights are written into the parameters that the model had."""
    run = Run([2.0, 1.0, 3.0])
    before = dict(run.model.named_parameters())
    history = run.by(solution, 5, 3)
    after = dict(run.model.named_parameters())
    return [float(loss) for loss in history], {"same parameters": all(before[name] is after[name] for name in before)}
