"""Hidden checks for train_keeping_best: the weights of the best epoch, and nothing that moves on."""

import math

import torch
from torch import nn

from torchdojo.grading import check, mode_of, raises, tensor

CONCEPTS = ("A02", "A06", "I19")

KEPT = {
    "returns_the_best_state": "the state itself, worth points without ties and without the model",
    "the_state_is_a_dict_of_plain_tensors": "the form of the state, said by itself",
}


class oracle:
    """Keeps every epoch as plain lists of numbers and looks for the best when all are done."""

    def train_keeping_best(model, train_epoch, validate, epochs):
        saved = []
        for _ in range(epochs):
            train_epoch(model)
            loss = validate(model)
            saved.append((loss, [(key, t.detach() + 0) for key, t in model.state_dict().items()]))
        usable = [loss for loss, _ in saved if not math.isnan(loss)]
        if not usable:
            raise ValueError("nothing to choose from")
        loss, state = next(pair for pair in saved if pair[0] == min(usable))
        for (_, kept), t in zip(state, model.state_dict().values(), strict=True):
            t.copy_(kept)
        return dict(state), loss


def network(x):
    """A model with parameters, a frozen one, and buffers of two dtypes, filled from x."""
    model = nn.Sequential(nn.Linear(x.shape[1], 2), nn.BatchNorm1d(2), nn.Linear(2, 1)).to(x.device, x.dtype)
    model[2].bias.requires_grad_(False)
    with torch.no_grad():
        model[0].weight.copy_(x)
        for t in (model[0].bias, model[2].weight, model[2].bias):
            t.fill_(0.5)
    return model


class Course:
    """The two functions: epochs that move every tensor on from where it is, and losses, as in "3 1 nan". switches: they set the
    mode."""

    def __init__(self, losses, switches=True):
        self.losses = [float(loss) for loss in losses.split()]
        self.epochs, self.switches, self.events, self.modes = len(self.losses), switches, [], []

    def train_epoch(self, model):
        self.events.append("train" if torch.is_grad_enabled() else "train-without-gradients")
        self.modes.append(mode_of(model.train() if self.switches else model))
        with torch.no_grad():
            for k, p in enumerate(model.parameters()):
                p.mul_(1.5).add_(k + 1)
                p.grad = p.clone()
        model[1].running_mean.mul_(0.5).add_(1)
        model[1].num_batches_tracked.add_(3)

    def validate(self, model):
        self.events.append("validate")
        self.modes.append(mode_of(model.eval() if self.switches else model))
        count = self.events.count("validate")
        return (self.losses + [math.nan] * count)[count - 1]  # who asks too often sees it in the calls, not in an IndexError


def copied(tensors):
    return {key: t.detach().clone() for key, t in tensors.items()}


LOSSES = ["3 1 2 4", "2 3 1", "4", "5 4 3", "3 1" + 21 * " 2" + " 0.5"]
CLOSE = ["3 1 1 2", "2 2 3", "4 0 5 0 1", "0.30000011 0.3 0.30000001", "0.30000001 0.3 0.4", "0 -1 -1 0.5", "1e30 2e30"]
WITH_NAN = ["nan 3 2 5", "3 2 nan 1", "nan nan 7", "2 1 nan 1 0.5 3"]
PLAIN = ["3 1 2 4", "5 2 3"]  # the best epoch is neither the first nor the last, and no two are alike
ONE = ["3", "0.5"]  # one epoch is the best, however losses are compared


@check(points=3, x=tensor("2 features"), losses=LOSSES, minimum=1)
def returns_the_lowest_loss(solution, x, losses):
    """The loss is the best epoch's; train_epoch and validate are called once per epoch."""
    model, course = network(x), Course(losses)
    _, loss = solution.train_keeping_best(model, course.train_epoch, course.validate, course.epochs)
    return {"loss": loss, "calls": ", ".join(course.events).replace("train-without-gradients", "train")}


@check(points=2, x=tensor("2 features"), losses=PLAIN, minimum=1)
def returns_the_best_state(solution, x, losses):
    """The returned state is the best epoch's."""
    model, course = network(x), Course(losses)
    state, _ = solution.train_keeping_best(model, course.train_epoch, course.validate, course.epochs)
    return {"state": copied(state)}


@check(points=2, x=tensor("2 features"), losses=PLAIN, minimum=1)
def the_model_has_the_best_weights(solution, x, losses):
    """The model ends with the parameters and buffers of the best epoch."""
    model, course = network(x), Course(losses)
    solution.train_keeping_best(model, course.train_epoch, course.validate, course.epochs)
    return {"model afterwards": copied(model.state_dict())}


@check(points=1, star=True, x=tensor("2 features"), losses=CLOSE + WITH_NAN, minimum=1)
def takes_the_first_of_the_lowest(solution, x, losses):
    """The best epoch is the first one with the lowest loss, and never one with nan."""
    model, course = network(x), Course(losses)
    state, loss = solution.train_keeping_best(model, course.train_epoch, course.validate, course.epochs)
    return {"loss": loss, "first parameter in the state": next(iter(state.values())).detach().clone()}


@check(points=1, x=tensor("2 features"), losses=["4", "5 4 3", "3 2"], minimum=1)
def state_does_not_move_on(solution, x, losses):
    """More training does not change the state, and changing the state does not change the model."""
    model, course = network(x), Course(losses)
    state, _ = solution.train_keeping_best(model, course.train_epoch, course.validate, course.epochs)
    course.train_epoch(model)
    kept = copied(state)
    with torch.no_grad():
        for t in state.values():
            t.zero_()
    return {"state after more training": kept, "model after more training": copied(model.state_dict())}


@check(points=1, star=True, x=tensor("2 features"), losses=ONE, mode=["", "train", "eval"], minimum=1, beside=True)
def leaves_the_rest_alone(solution, x, losses, mode):
    """Parameters stay the same objects; mode, grad mode and .grad are as they were left."""
    model, course = network(x).train(mode != "eval"), Course(losses, switches=not mode)
    before, flags = list(model.parameters()), [p.requires_grad for p in model.parameters()]
    state, loss = solution.train_keeping_best(model, course.train_epoch, course.validate, course.epochs)
    return loss, {
        "calls": ", ".join(course.events),
        "same parameters": all(a is b for a, b in zip(before, model.parameters(), strict=True)),
        "parameters require grad": [p.requires_grad for p in model.parameters()] == flags,
        "mode in each call": course.modes,
        "mode afterwards": mode_of(model),
        "old .grad": [p.grad for p in model.parameters()],
    }


@check(points=1, x=tensor("2 features"), losses=ONE, minimum=1, beside=True)
def the_state_is_a_dict_of_plain_tensors(solution, x, losses):
    """state is a dict with the keys of state_dict, and its tensors do not require grad."""
    model, course = network(x), Course(losses)
    state, loss = solution.train_keeping_best(model, course.train_epoch, course.validate, course.epochs)
    return loss, {
        "state is a dict": isinstance(state, dict),
        "keys of the state": ", ".join(state),
        "state requires grad": any(t.requires_grad for t in state.values()),
        "dtypes and devices": [f"{t.dtype} on {t.device}" for t in state.values()],
    }


@check(points=1, star=True, x=tensor("2 features"), losses=["", "nan", "nan nan nan"], minimum=1)
def refuses_to_choose_from_nothing(solution, x, losses):
    """No epochs, or only nan losses, raise ValueError."""
    course = Course(losses)
    return raises(lambda: solution.train_keeping_best(network(x), course.train_epoch, course.validate, course.epochs), ValueError)
