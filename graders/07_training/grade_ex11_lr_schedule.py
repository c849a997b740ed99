"""Hidden checks for warmup_cosine and train_scheduled: the factor part by part, and the rates of real updates."""

import torch
from torch import nn

from torchdojo.grading import built, check, mode_of, tensor

CONCEPTS = ("I20", "H08")

KEPT = {
    "returns_the_rates_of_the_updates": "the result by itself, which is right or wrong whatever the weights are",
}


class oracle:
    """The cosine as a product of complex numbers, and rates that are set by hand."""

    def warmup_cosine(update, warmup, total):
        if update >= total:
            return 0.0
        if update < warmup:
            return sum(1 / warmup for _ in range(update + 1))
        turn = (-1 + 0j) ** ((update - warmup) / (total - warmup))
        return (1 + turn.real) / 2

    def train_scheduled(model, loader, loss_fn, opt, epochs, schedule):
        base, rates = [group["lr"] for group in opt.param_groups], []
        model.train()
        for x, y in (batch for _ in range(epochs) for batch in loader):
            loss = loss_fn(model(x), y)
            for group, rate in zip(opt.param_groups, base, strict=True):
                group["lr"] = rate * schedule(len(rates))
                for p, gradient in zip(group["params"], torch.autograd.grad(loss, group["params"], retain_graph=True), strict=True):
                    p.grad = gradient
            opt.step()
            rates.append(opt.param_groups[0]["lr"])
        return rates


class Batches:
    """A loader without a length."""

    def __init__(self, batches):
        self._batches = batches

    def __iter__(self):
        return iter(self._batches)

    def __repr__(self):
        return f"<a loader with {len(self._batches)} batches>"


def model_for(x):
    """Two layers, with dropout of nothing or everything by the mode."""
    model = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1)).to(x.dtype)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    return model.eval()


def squares(prediction, target):
    """The mean squared error."""
    return (prediction - target).square().mean()


def falling(k):
    """1, 1/2, 1/3, ..."""
    return 1 / (k + 1)


def rising(k):
    """0.3, 0.6, 0.9, ..."""
    return 0.3 * (k + 1)


PART = built(lambda case: (case.rng.randint(2, 9), case.rng.randint(3, 9)))  # updates of warm-up, and after it


@check(points=3, lengths=PART, devices=False)
def the_warm_up_is_linear(solution, lengths):
    """In the warm-up the factor grows linearly from 1 / warmup to 1."""
    warmup, rest = lengths
    return {f"update {k}": float(solution.warmup_cosine(k, warmup, warmup + rest)) for k in range(warmup)}


@check(points=2, lengths=PART, devices=False)
def a_cosine_follows(solution, lengths):
    """After the warm-up the factor falls along half a cosine."""
    warmup, rest = lengths
    return {f"update {k}": float(solution.warmup_cosine(k, warmup, warmup + rest)) for k in range(warmup, warmup + rest)}


@check(points=1, star=True, warmup=[0, 5, 1], total=[5], devices=False)
def the_ends_have_factors(solution, warmup, total):
    """The factor is 0 from update `total` on; warmup may be 0 or `total`."""
    at = [0, total, total + 1, 3 * total] if warmup == 0 else [total, total + 1, 3 * total]
    return {f"update {k}": float(solution.warmup_cosine(k, warmup, total)) for k in at}


@check(points=3, x=tensor("6 3"), y=tensor("6 1"), schedule=[falling, rising], momentum=[0.0, 0.9], devices=False)
def each_update_has_its_rate(solution, x, y, schedule, momentum):
    """The weights are those after updates with the scheduled rates, one per batch."""
    model, loader = model_for(x), Batches(list(zip(x.split(2), y.split(2), strict=True)))
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=momentum)
    solution.train_scheduled(model, loader, squares, opt, 2, schedule)
    return {"weights afterwards": {name: p.detach().clone() for name, p in model.named_parameters()}}


@check(points=1, x=tensor("6 3"), y=tensor("6 1"), schedule=[falling, rising], epochs=[1, 2, 0], devices=False)
def returns_the_rates_of_the_updates(solution, x, y, schedule, epochs):
    """The result has the learning rate of each update."""
    model, loader = model_for(x), Batches(list(zip(x.split(2), y.split(2), strict=True)))
    opt = torch.optim.SGD(model.parameters(), lr=0.5)
    return {"rates": [float(rate) for rate in solution.train_scheduled(model, loader, squares, opt, epochs, schedule)]}


@check(points=1, star=True, x=tensor("6 3"), y=tensor("6 1"), schedule=[falling, rising], devices=False)
def each_group_keeps_its_own_rate(solution, x, y, schedule):
    """Each parameter group has its own learning rate, times the factor."""
    model, loader, rates = model_for(x), Batches(list(zip(x.split(3), y.split(3), strict=True))), []
    opt = torch.optim.SGD([{"params": list(model[0].parameters())}, {"params": list(model[2].parameters()), "lr": 0.75}], lr=0.5)
    opt.register_step_pre_hook(lambda *_: rates.append([float(group["lr"]) for group in opt.param_groups]))
    solution.train_scheduled(model, loader, squares, opt, 1, schedule)
    return {f"update {k}": rate for k, rate in enumerate(rates)}


@check(points=1, x=tensor("6 3"), y=tensor("6 1"), schedule=[falling], training=[False, True], devices=False, beside=True)
def trains_in_training_mode(solution, x, y, schedule, training):
    """The model is in training mode in each forward pass."""
    model, modes = model_for(x).train(training), []
    model.register_forward_hook(lambda part, *_: modes.append(mode_of(part)))
    opt = torch.optim.SGD(model.parameters(), lr=0.5)
    rates = solution.train_scheduled(model, Batches([(x, y)]), squares, opt, 1, schedule)
    return [float(rate) for rate in rates], {"mode in each forward pass": modes}
