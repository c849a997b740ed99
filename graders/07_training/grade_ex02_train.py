"""Hidden checks for train: weights and history of whole runs."""

import weakref

import torch
from torch import nn

from torchdojo.grading import check, mode_of, raises, tensor

CONCEPTS = ("B15", "H05")

KEPT = {
    "follows_every_update": "the weights themselves, worth points without a right history",
    "history_is_the_mean_over_the_samples": "the history itself",
    "goes_through_the_loader_afresh": "says how often the loader was gone through, and with which batches",
}


class oracle:
    """Counts through batches, with gradients asked for by name."""

    def train(model, loader, loss_fn, opt, epochs):
        device = next(model.parameters()).device
        held = [p for group in opt.param_groups for p in group["params"]]
        history = []
        while len(history) < epochs:
            for part in model.modules():
                part.training = True
            each = []
            for batch in loader:
                loss = loss_fn(model(batch[0].to(device)), batch[1].to(device))
                for parameter, gradient in zip(held, torch.autograd.grad(loss, held), strict=True):
                    parameter.grad = gradient
                opt.step()
                each += [float(loss.detach().reshape(()))] * batch[0].shape[0]
            if not each:
                raise ValueError("no samples")
            history.append(sum(each) / len(each))
        return history


class Moody(nn.Module):
    """Two layers and a factor that depends on the mode; it notes how it is called."""

    def __init__(self, like):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
        self.out = nn.Linear(4, 2)
        with torch.no_grad():
            for k, p in enumerate(self.parameters()):
                p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
        self.to(like.device, like.dtype)
        self.seen = []

    def forward(self, x):
        self.seen.append({"samples": len(x), "modes": [mode_of(part) for part in self.modules()]})
        return self.out(self.hidden(x) * (2.0 if self.hidden.training else 1.0))


class Shuffler:
    """Gives other batches in other orders in each pass; it has no length and no attributes worth knowing."""

    __slots__ = ("_passes", "_x", "_y")

    def __init__(self, x, y):
        self._x, self._y, self._passes = x, y, 0

    def __repr__(self):
        return "<a loader that shuffles>"

    def __iter__(self):
        self._passes += 1
        order = torch.randperm(len(self._x)).to(self._x.device)
        x, y = self._x[order], self._y[order]
        for k, (a, b) in enumerate(zip(x.split(self._passes + 2), y.split(self._passes + 2), strict=True)):
            yield [a, b] if k % 2 else (a, b)


class OnlyOnce:
    """A loader whose second pass brings nothing."""

    def __init__(self, batches):
        self.batches = batches

    def __repr__(self):
        return "<a loader that is empty the second time>"

    def __iter__(self):
        batches, self.batches = self.batches, []
        return iter(batches)


def lopsided(prediction, target):
    """Too much costs three times as much as too little."""
    error = prediction - target
    return (error**2 * torch.where(error > 0, 3.0, 1.0).to(error.dtype)).mean()


def one_number(prediction, target):
    """A mean that comes as a tensor of shape (1,)."""
    return lopsided(prediction, target).reshape(1)


def no_loss(prediction, target):
    """Everybody is right."""
    return (prediction - target).mean() * 0.0


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.1)


def momentum(parameters):
    return torch.optim.SGD(parameters, lr=0.05, momentum=0.9, weight_decay=0.1)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=0.05)


def batches(x, y, sizes=(4, 4, 1)):
    return list(zip(x.split(sizes), y.split(sizes), strict=True))


def weights(model):
    return {name: p.detach().clone() for name, p in model.named_parameters()}


OPTIMIZERS = [sgd, momentum, adam]


@check(points=2, x=tensor("9 3"), y=tensor("9 2"), optimizer=OPTIMIZERS, sizes=[(4, 4, 1), (9,)], devices=False)
def follows_every_update(solution, x, y, optimizer, sizes):
    """The weights match one optimizer step per batch, with gradients cleared before each."""
    model = Moody(x)
    solution.train(model, batches(x, y, sizes), lopsided, optimizer(model.parameters()), 2)
    return {"weights afterwards": weights(model)}


@check(points=3, x=tensor("9 3"), y=tensor("9 2"), loss_fn=[lopsided, one_number], sizes=[(4, 4, 1), (9,)], epochs=[1, 3], devices=False)
def history_is_the_mean_over_the_samples(solution, x, y, loss_fn, sizes, epochs):
    """Each epoch has one entry, the mean loss of its samples as a Python float."""
    model = Moody(x)
    return {"history": solution.train(model, batches(x, y, sizes), loss_fn, sgd(model.parameters()), epochs)}


class Mark:
    """A hook of a loss, which lives as long as its graph."""

    def __call__(self, gradient):
        return None


@check(points=1, star=True, x=tensor("9 3"), y=tensor("9 2"), devices=False, beside=True)
def lets_go_of_every_graph(solution, x, y):
    """Losses are added up as plain numbers: no graph of a batch is kept."""
    model, marks, kept = Moody(x), [], []

    def loss_fn(prediction, target):
        loss, mark = lopsided(prediction, target), Mark()
        loss.register_hook(mark)
        kept.append(sum(other() is not None for other in marks[:-1]))  # the last loss may still have its name
        marks.append(weakref.ref(mark))
        return loss

    solution.train(model, batches(x, y, (2, 2, 2, 3)), loss_fn, sgd(model.parameters()), 2)
    return weights(model), {"graphs of earlier batches that a batch has seen": max(kept, default=0)}


@check(points=1, star=True, x=tensor("9 3"), y=tensor("9 2"), optimizer=OPTIMIZERS, random=True, devices=False)
def goes_through_the_loader_afresh(solution, x, y, optimizer):
    """A loader that shuffles and has no length is iterated once per epoch."""
    model, loader = Moody(x), Shuffler(x, y)
    solution.train(model, loader, lopsided, optimizer(model.parameters()), 3)
    sizes = [call["samples"] for call in model.seen]
    return {"passes through the loader": loader._passes, "samples in each forward pass": sizes, "weights afterwards": weights(model)}


@check(points=1, x=tensor("9 3"), y=tensor("9 2"), optimizer=OPTIMIZERS, devices=False)
def ignores_gradients_from_before(solution, x, y, optimizer):
    """Gradients that were in .grad before the call have no effect."""
    model = Moody(x)
    for p in model.parameters():
        p.grad = torch.full_like(p, 10.0)
    solution.train(model, [(x, y)], lopsided, optimizer(model.parameters()), 1)
    return {"weights afterwards": weights(model)}


@check(points=1, x=tensor("5 3"), y=tensor("5 2"), modes=[(False, False), (True, False), (False, True)], devices=False)
def trains_in_training_mode(solution, x, y, modes):
    """Every part is in training mode for every batch and afterwards."""
    model, steps = Moody(x), []
    model.train(modes[1]).training = modes[0]
    opt = sgd(model.parameters())
    opt.register_step_pre_hook(lambda *_: steps.append(1))
    solution.train(model, [(x, y)], lopsided, opt, 1)
    found = {"in each forward pass": model.seen, "calls of opt.step()": len(steps), "weights afterwards": weights(model)}
    return found | {"modes afterwards": [mode_of(part) for part in model.modules()]}


@check(points=1, star=True, x=tensor("5 3"), y=tensor("5 2"), loader=["empty", "empty later", "no epochs", "neither", "no loss"], devices=False)
def knows_when_there_is_nothing_to_do(solution, x, y, loader):
    """0 epochs give an empty history; an epoch without a batch raises ValueError."""
    model, entries, parts = Moody(x), [], []
    if loader != "empty" and loader != "neither":
        parts = [(x, y)] if loader != "empty later" else OnlyOnce([(x, y)])
    epochs = {"no epochs": 0, "neither": 0, "no loss": 1}.get(loader, 2)
    loss_fn = no_loss if loader == "no loss" else lopsided

    def call():
        history = solution.train(model, parts, loss_fn, sgd(model.parameters()), epochs)
        entries.append(len(history))

    found = {"error": raises(call, ValueError), "entries of the history": entries[0] if entries else "no history, but an error"}
    return found | ({} if loader == "empty later" else {"weights afterwards": weights(model)})


@check(points=1, star=True, x=tensor("5 3"), y=tensor("5 2"), place=["none", "inputs", "targets", "both", "model"], about_device=True)
def brings_each_batch_to_the_model(solution, x, y, place, device):
    """The batches may be on a different device from the model."""
    model = Moody(x).to("cpu" if place == "model" else device)
    a, b = x.cpu() if place in ("inputs", "both") else x, y.cpu() if place in ("targets", "both") else y
    weight = torch.ones(2, device=next(model.parameters()).device, dtype=x.dtype)  # where the model is, as those of classes are
    solution.train(model, [(a, b)], lambda p, t: lopsided(p * weight, t), sgd(model.parameters()), 1)
    return {"weights afterwards": weights(model), "inputs afterwards": a.clone()}


@check(points=1, words=tensor("5 3", dtype="int64", low=0, high=6), like=tensor("1"), devices=False)
def keeps_the_dtypes_of_the_batches(solution, words, like):
    """Inputs and labels may be integers, and the model may be float64."""
    model = nn.Sequential(nn.Embedding(7, 2), nn.Flatten(), nn.Linear(6, 4)).to(like.device, like.dtype)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    solution.train(model, [(words, words.sum(dim=1) % 4)], nn.functional.cross_entropy, sgd(model.parameters()), 1)
    return {"weights afterwards": weights(model)}
