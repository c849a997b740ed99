"""Hidden checks for fit_batches: every step with the gradient of its own batch."""

import torch
from torch import nn

from torchdojo.grading import check, tensor

CONCEPTS = ("A02", "A06", "G11", "I12", "I13")


class oracle:
    """Asks for the gradients of the loss by name and puts them where the optimizer looks."""

    def fit_batches(model, batches, loss_fn, opt):
        held = [p for group in opt.param_groups for p in group["params"]]
        losses = []
        for inputs, targets in batches:
            loss = loss_fn(model(inputs), targets)
            for parameter, gradient in zip(held, torch.autograd.grad(loss, held), strict=True):
                parameter.grad = gradient
            opt.step()
            losses.append(loss.item())
        return losses


class Sum(nn.Module):
    """Two layers side by side. Neither weight is needed for backward, so a step in the wrong place raises nothing."""

    def __init__(self, features):
        super().__init__()
        self.one, self.two = nn.Linear(features, 1), nn.Linear(features, 1)

    def forward(self, x):
        return self.one(x) + torch.tanh(self.two(x))


def network(like):
    """A model with plain weights between -1 and 1, in the dtype and on the device of `like`."""
    model = Sum(like.shape[1]).to(like.device, like.dtype)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    return model


def in_train_mode(model):
    """The parts in train mode, by name."""
    return ", ".join(name or "the whole" for name, part in model.named_modules() if part.training) or "none"


def weights(model):
    return {name: p.detach().clone() for name, p in model.named_parameters()}


def in_batches(x, y):
    """A generator of batches of 1, 2, 1 and 3 samples, and the rest."""
    start = 0
    for size in (1, 2, 1, 3, 9):
        if start < len(x):
            yield x[start : start + size], y[start : start + size]
        start += size


class Stream:
    """An iterable that has no length and no index."""

    def __init__(self, x, y):
        self.batches = list(in_batches(x, y))

    def __iter__(self):
        return iter(self.batches)

    def __repr__(self):
        return "an iterable"


class Moody(nn.Module):
    """A model whose answer depends on its mode; it notes the modes that it is used in."""

    def __init__(self, like):
        super().__init__()
        self.inner, self.seen = network(like), []

    def forward(self, x):
        self.seen.append(in_train_mode(self))
        return self.inner(x) * (2.0 if self.inner.training else 1.0)


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.02)


def momentum(parameters):
    return torch.optim.SGD(parameters, lr=0.01, momentum=0.9, weight_decay=0.1)


def adam(parameters):
    """Adam, each parameter in a group of its own."""
    return torch.optim.Adam([{"params": [p]} for p in parameters], lr=0.05)


def none_of_it(prediction, target):
    """A loss that is 0, with gradients that are not."""
    error = (prediction - target).mean()
    return error - error.detach()


def lost(prediction, target):
    """A loss that is nan; its step carries nan into the weights."""
    return (prediction - target).mean() * torch.nan


OPTIMIZERS = [sgd, momentum, adam]
MODES = [(True, True), (False, False), (True, False), (False, True)]


@check(
    points=4, x=tensor("samples features"), y=tensor("samples 1"), optimizer=OPTIMIZERS, before=["empty", "stale", "nan"],
    minimum={"features": 1},
)  # fmt: skip
def follows_every_step(solution, x, y, optimizer, before):
    """Losses and weights are those of one clean step for each batch."""
    model = network(x)
    for p in model.parameters():
        p.grad = None if before == "empty" else torch.full_like(p, 10.0 if before == "stale" else torch.nan)
    losses = solution.fit_batches(model, in_batches(x, y), nn.functional.mse_loss, optimizer(model.parameters()))
    return {"losses": losses, "weights afterwards": weights(model)}


@check(points=1, x=tensor("samples features"), y=tensor("samples 1"), modes=MODES, minimum=1)
def keeps_the_mode(solution, x, y, modes):
    """The model is used in the mode that it is in, and left in it."""
    model = Moody(x)
    model.training, model.inner.training = modes
    losses = solution.fit_batches(model, [*in_batches(x, y)], nn.functional.mse_loss, sgd(model.parameters()))
    return {
        "parts in train mode at the first call": model.seen[0],
        "parts in train mode at the last call": model.seen[-1],
        "parts in train mode afterwards": in_train_mode(model),
        "losses": losses,
    }


@check(
    points=2, x=tensor("samples features"), y=tensor("samples 1"), optimizer=OPTIMIZERS,
    loss_fn=[nn.functional.l1_loss, none_of_it, lost], minimum={"features": 1},
)  # fmt: skip
def leaves_the_rest_alone(solution, x, y, optimizer, loss_fn):
    """One step a batch; settings and what the optimizer lacks stay the same."""
    model, steps = network(x), []
    opt = optimizer(model.one.parameters())
    opt.register_step_pre_hook(lambda *_: steps.append(1))
    stream = Stream(x, y)
    solution.fit_batches(model, stream, loss_fn, opt)
    settings = {name: value for name, value in opt.param_groups[0].items() if name != "params"}
    return {
        "calls of opt.step()": len(steps),
        "settings of opt": settings,
        "weights afterwards": weights(model),
        "inputs and targets that require grad": sum(t.requires_grad for batch in stream.batches for t in batch),
    }
