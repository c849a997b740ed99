"""Hidden checks for train_step: whole trajectories of weights and losses."""

import math

import torch
from torch import nn

from torchdojo.grading import check, mode_of, tensor

CONCEPTS = ("F08", "H03", "I08", "I12")

KEPT = {
    "brings_the_batch_to_the_model": "the batch itself is moved, worth a point though the loss is computed on the batch's device",
    "follows_a_clean_run": "the weights themselves, worth points without anything else",
    "returns_the_loss_before_the_update": "the loss itself, worth points without right weights",
    "steps_once_with_what_the_optimizer_holds": "two groups of parameters, weights that nobody holds, and what was done twice",
    "passes_shapes_on_as_they_are": "says in plain shapes what the loss was given",
    "keeps_the_dtypes_of_the_batch": "tokens and labels, the everyday case, said by itself",
}


class oracle:
    """Asks autograd for the gradients by name and puts them where the optimizer looks."""

    def train_step(model, batch, loss_fn, opt):
        for part in model.modules():
            part.training = True
        device = next(model.parameters()).device
        loss = loss_fn(model(batch[0].to(device)), batch[1].to(device))
        held = [p for group in opt.param_groups for p in group["params"] if p.requires_grad]
        for parameter, gradient in zip(held, torch.autograd.grad(loss, held, allow_unused=True), strict=True):
            parameter.grad = gradient
        opt.step()
        return float(loss.detach().reshape(()))


class Moody(nn.Module):
    """Batch norm, two layers and a factor that depends on the mode; it notes how it is called."""

    def __init__(self, features, outputs, like, steady=False):
        """steady: without batch norm and the factor, so that the mode changes nothing."""
        super().__init__()
        self.norm = nn.Identity() if steady else nn.BatchNorm1d(features, eps=0.5)  # large: rows may all be alike
        self.hidden = nn.Sequential(nn.Linear(features, 4), nn.Tanh())
        self.out = nn.Linear(4, outputs)
        self.steady = steady
        with torch.no_grad():
            for k, p in enumerate(self.parameters()):
                p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
        self.to(like.device, like.dtype)
        self.seen, self.outputs = [], []

    def forward(self, x):
        self.seen.append([mode_of(part) for part in self.modules()])
        y = self.out(self.hidden(self.norm(x)) * (2.0 if self.hidden.training and not self.steady else 1.0))
        self.outputs.append(y.detach().clone())
        return y


class Converting(nn.Linear):
    """A layer that takes any floating dtype and notes which it was given."""

    def forward(self, x):
        self.inputs = [*getattr(self, "inputs", []), x.dtype]
        return super().forward(x.to(self.weight.dtype))


def lopsided(prediction, target):
    """Too much costs three times as much as too little."""
    error = prediction - target
    return (error**2 * torch.where(error > 0, 3.0, 1.0).to(error.dtype)).mean()


def weighted(loss_fn, device):
    """The loss times weights that lie on this device, as the weights of classes do."""
    return lambda prediction, target: (loss_fn(prediction, target) * torch.ones(2, device=device)).mean()


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.1)


def still(parameters):
    """Steps that change nothing, because another check tests what they change."""
    return torch.optim.SGD(parameters, lr=0.0)


def momentum(parameters):
    return torch.optim.SGD(parameters, lr=0.05, momentum=0.9, weight_decay=0.1)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=0.05)


def state(model):
    return {name: t.detach().clone() for name, t in model.state_dict().items()}


def pairs(x, y, sizes):
    """Batches of these sizes, as tuples and lists in turn."""
    for k, (a, b) in enumerate(zip(x.split(sizes), y.split(sizes), strict=True)):
        yield [a, b] if k % 2 else (a, b)


OPTIMIZERS = [sgd, momentum, adam]
MODES = {"train": (True, True), "eval": (False, False), "outside train": (True, False), "outside eval": (False, True)}


@check(points=2, x=tensor("11 3"), y=tensor("11 2"), optimizer=OPTIMIZERS, devices=False)
def follows_a_clean_run(solution, x, y, optimizer):
    """The weights match one optimizer step per batch, with gradients cleared before each."""
    model = Moody(3, 2, x)
    opt = optimizer(model.parameters())
    for batch in pairs(x, y, [4, 2, 2, 3]):
        solution.train_step(model, batch, lopsided, opt)
    return {"model afterwards": state(model), "x": x, "y": y}


@check(points=2, x=tensor("5 3"), y=tensor("5 2"), shape=[(), (1,), (1, 1)], factor=[1.0, 0.0, math.nan], devices=False)
def returns_the_loss_before_the_update(solution, x, y, shape, factor):
    """The result is the loss of the forward pass as a Python float, even if it is 0 or nan."""
    model = Moody(3, 2, x, steady=True)
    loss = solution.train_step(model, (x, y), lambda p, t: factor * ((p - t) ** 2).mean().reshape(shape), sgd(model.parameters()))
    return {"loss": loss}


@check(points=2, x=tensor("6 3"), y=tensor("6 2"), optimizer=OPTIMIZERS, devices=False)
def ignores_gradients_from_before(solution, x, y, optimizer):
    """Gradients that were in .grad before the call have no effect."""
    model = Moody(3, 2, x, steady=True)
    opt = optimizer([{"params": model.hidden.parameters()}, {"params": model.out.parameters()}])
    for number, batch in enumerate(pairs(x, y, [3, 3])):
        for p in model.parameters():
            p.grad = torch.full_like(p, 10.0 - number)
        solution.train_step(model, batch, nn.functional.mse_loss, opt)
    return {"model afterwards": state(model)}


@check(points=1, x=tensor("6 3"), y=tensor("6 1"), mode=list(MODES), devices=False)
def trains_in_training_mode(solution, x, y, mode):
    """Every part is in training mode in the forward pass and afterwards."""
    model = Moody(3, 1, x)
    for part in model.modules():
        part.training = MODES[mode][1]
    model.training = MODES[mode][0]
    solution.train_step(model, (x, y), nn.functional.mse_loss, sgd(model.parameters()))
    found = {"modes during the forward pass": model.seen[:1], "prediction": model.outputs[:1]}
    return found | {"modes afterwards": [mode_of(part) for part in model.modules()]}


@check(points=1, x=tensor("5 3"), y=tensor("5 2"), devices=False)
def steps_once_with_what_the_optimizer_holds(solution, x, y):
    """There is one forward pass and one opt.step(), and only the optimizer's parameters change."""
    model, steps = Moody(3, 2, x, steady=True), []
    opt = torch.optim.SGD([{"params": model.out.parameters()}, {"params": [model.hidden[0].bias], "lr": 0.5}], lr=0.1, weight_decay=0.25)
    opt.register_step_pre_hook(lambda *_: steps.append(1))
    solution.train_step(model, (x, y), lambda p, t: ((p - t) ** 2).mean(), opt)
    return {"forward passes": len(model.seen), "calls of opt.step()": len(steps), "model afterwards": state(model)}


@check(points=1, star=True, x=tensor("6 3"), y=tensor("6 2"), optimizer=[sgd, adam], devices=False)
def parameters_may_be_frozen_or_unused(solution, x, y, optimizer):
    """Parameters that are frozen, or that the loss does not use, stay as they are."""
    model = Moody(3, 2, x, steady=True)
    model.spare = nn.Linear(1, 2).to(x.device, x.dtype)
    nn.init.constant_(model.spare.weight, 0.5), nn.init.constant_(model.spare.bias, 0.25)
    model.hidden[0].bias.requires_grad_(False)
    loss = solution.train_step(model, (x, y), nn.functional.mse_loss, optimizer(model.parameters()))
    kept = {name: p.detach().clone() for name, p in model.named_parameters() if "spare" in name or name == "hidden.0.bias"}
    return {"loss": float(loss), "what stays": kept, "frozen afterwards": [name for name, p in model.named_parameters() if not p.requires_grad]}


@check(points=1, x=tensor("batch 3", low=-2, high=2), y=tensor("batch 1"), flat=[False, True], minimum=1, devices=False)
def passes_shapes_on_as_they_are(solution, x, y, flat):
    """The loss gets prediction and target in their own shapes; x and y keep their dtypes."""
    y = (y.reshape(-1) if flat else y).to(torch.float32)  # the model may have another dtype
    model, seen, dtypes = Converting(3, 1).to(x.device, x.dtype), [], []
    nn.init.constant_(model.weight, 0.5), nn.init.constant_(model.bias, 0.25)

    def loss_fn(prediction, target):
        seen.append(sorted([tuple(prediction.shape), tuple(target.shape)]))
        dtypes.append(sorted(str(t.dtype) for t in (prediction, target)))
        return ((prediction - target) ** 2).mean()

    solution.train_step(model, (x.to(torch.float16), y), loss_fn, sgd(model.parameters()))
    return {"shapes passed to the loss, sorted": seen[:1], "dtypes passed to the loss, sorted": dtypes[:1], "dtype of the input of the model": model.inputs[:1]}


@check(points=1, words=tensor("5 3", dtype="int64", low=0, high=6), like=tensor("1"), devices=False)
def keeps_the_dtypes_of_the_batch(solution, words, like):
    """Inputs and labels may be integers, and the model may be float64."""
    model = nn.Sequential(nn.Embedding(7, 2), nn.Flatten(), nn.Linear(6, 4)).to(like.device, like.dtype)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    labels = words.sum(dim=1) % 4
    return {"loss": float(solution.train_step(model, (words, labels), nn.functional.cross_entropy, sgd(model.parameters())))}


def on_two_devices(solution, x, y, place, device, loss_fn=None, optimizer=sgd):
    """What a step leaves behind whose batch, or a part of it, lies on the CPU and the model elsewhere, or the other way round."""
    model = nn.Linear(3, 2).to("cpu" if place == "model" else device, x.dtype)
    nn.init.constant_(model.weight, 0.5), nn.init.constant_(model.bias, 0.25)
    batch = [x.cpu() if place in ("inputs", "both") else x, y.cpu() if place in ("targets", "both") else y]
    loss_fn = loss_fn or weighted(lambda p, t: (p - t) ** 2, model.weight.device)
    loss = solution.train_step(model, batch, loss_fn, optimizer(model.parameters()))
    return {"loss": float(loss), "batch afterwards": [t.clone() for t in batch]}, state(model)


@check(points=1, star=True, x=tensor("4 3"), y=tensor("4 2"), place=["inputs", "targets", "both", "model"], about_device=True)
def brings_the_batch_to_the_model(solution, x, y, place, device):
    """The batch may be on a different device from the model."""
    found, after = on_two_devices(solution, x, y, place, device, nn.functional.mse_loss, still)
    return found | {"the model is on": sorted({t.device.type for t in after.values()})}


@check(points=1, star=True, x=tensor("4 3"), y=tensor("4 2"), place=["targets", "both"], about_device=True)
def computes_the_loss_where_the_model_is(solution, x, y, place, device):
    """The loss may have its own weights, which are on the model's device."""
    found, after = on_two_devices(solution, x, y, place, device)
    return found | {"model afterwards": after}
