"""Hidden checks for fit_batches: every step with the gradient of its own batch."""

import torch
from torch import nn

from torchdojo.grading import check, mode_of, tensor

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


def modes_of(model):
    return {name or "the whole": mode_of(part) for name, part in model.named_modules()}


def weights(model):
    return {name: p.detach().clone() for name, p in model.named_parameters()}


def in_batches(x, y):
    """A generator of batches of 1, 2, 1 and 3 samples, and the rest."""
    start = 0
    for size in (1, 2, 1, 3, 9):
        if start < len(x):
            yield x[start : start + size], y[start : start + size]
        start += size


class Moody(nn.Module):
    """A model whose answer depends on its mode; it notes the modes that it is used in."""

    def __init__(self, like):
        super().__init__()
        self.inner, self.seen = network(like), []

    def forward(self, x):
        self.seen.append(modes_of(self))
        return self.inner(x) * (2.0 if self.inner.training else 1.0)


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.02)


def momentum(parameters):
    return torch.optim.SGD(parameters, lr=0.01, momentum=0.9, weight_decay=0.1)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=0.05)


def groups(parameters):
    """Each parameter in a group of its own."""
    return torch.optim.SGD([{"params": [p]} for p in parameters], lr=0.02)


def with_grad(model, value):
    """The model, with this number in every .grad, or None for no .grad at all."""
    for p in model.parameters():
        p.grad = None if value is None else torch.full_like(p, value)
    return model


def numbers(losses):
    """The losses as Python floats, also where they are tensors: which type they have is asked once."""
    return [float(loss) for loss in losses]


def none_of_it(prediction, target):
    """A loss that is 0, with gradients that are not."""
    error = (prediction - target).mean()
    return error - error.detach()


def lost(prediction, target):
    """A loss that is nan; its step carries nan into the weights."""
    return (prediction - target).mean() * torch.nan


OPTIMIZERS = [sgd, momentum, adam]
MODES = [(True, True), (False, False), (True, False), (False, True)]


# Only old_gradients_count_for_nothing starts with numbers in .grad. After each_step_has_its_own_gradient there is one batch: with one,
# gradients that pile up are still right.
@check(points=4, x=tensor("samples features"), y=tensor("samples 1"), optimizer=OPTIMIZERS, minimum={"features": 1})
def each_step_has_its_own_gradient(solution, x, y, optimizer):
    """Losses and weights match one optimizer step per batch, with gradients cleared before each."""
    model = with_grad(network(x), 0.0)
    losses = solution.fit_batches(model, list(in_batches(x, y)), nn.functional.mse_loss, optimizer(model.parameters()))
    return {"losses": numbers(losses), "weights afterwards": weights(model)}


@check(
    points=1, star=True, x=tensor("samples features"), y=tensor("samples 1"), optimizer=[sgd, adam, groups], before=[10.0, torch.nan],
    minimum=1,
)  # fmt: skip
def old_gradients_count_for_nothing(solution, x, y, optimizer, before):
    """Gradients that are in .grad at the start have no effect."""
    model = with_grad(network(x), before)
    losses = solution.fit_batches(model, [(1 * x, y)], nn.functional.mse_loss, optimizer(model.parameters()))
    return {"losses": numbers(losses), "weights afterwards": weights(model)}


@check(points=1, x=tensor("samples features"), y=tensor("samples 1"), minimum={"features": 1})
def a_list_of_floats_from_a_generator(solution, x, y):
    """A new model and a generator of batches give a list of Python floats."""
    model = with_grad(network(x), None)
    stream = ((x[k:], y[k:]) for k in range(min(len(x), 1)))
    return solution.fit_batches(model, stream, nn.functional.mse_loss, sgd(model.parameters()))


@check(points=1, star=True, x=tensor("samples features"), y=tensor("samples 1"), modes=MODES, minimum=1)
def keeps_the_mode(solution, x, y, modes):
    """The model is used in its current mode and left in that mode."""
    model = with_grad(Moody(x), 0.0)
    model.training, model.inner.training = modes
    losses = solution.fit_batches(model, [(1 * x, y)], nn.functional.mse_loss, sgd(model.parameters()))
    return {"losses": numbers(losses), "modes of its parts": [*model.seen, modes_of(model)]}


@check(
    points=0.5, star=True, x=tensor("samples features"), y=tensor("samples 1"), optimizer=OPTIMIZERS, minimum={"features": 1}, beside=True,
)  # fmt: skip
def leaves_the_rest_alone(solution, x, y, optimizer):
    """Settings, inputs and parameters that are not in the optimizer stay the same."""
    model, batches = with_grad(network(x), 0.0), list(in_batches(x, y))[:1]
    opt = optimizer(model.one.parameters())
    losses = solution.fit_batches(model, batches, nn.functional.mse_loss, opt)
    settings = {name: value for name, value in opt.param_groups[0].items() if name != "params"}
    return numbers(losses), {
        "settings of opt": settings,
        "weights that opt lacks": weights(model.two),
        "inputs and targets that require grad": sum(t.requires_grad for batch in batches for t in batch),
    }


@check(
    points=0.5, star=True, x=tensor("samples features"), y=tensor("samples 1"), optimizer=OPTIMIZERS, minimum=1,
    loss_fn=[none_of_it, lost, nn.functional.l1_loss],
)  # fmt: skip
def every_batch_has_one_step(solution, x, y, optimizer, loss_fn):
    """opt.step() is called once per batch, even if the loss is 0 or nan."""
    model, steps = with_grad(network(x), 0.0), []
    opt = optimizer(model.parameters())
    opt.register_step_pre_hook(lambda *_: steps.append(1))
    solution.fit_batches(model, [(1 * x, y)], loss_fn, opt)
    return {"calls of opt.step()": len(steps), "weights afterwards": weights(model)}
