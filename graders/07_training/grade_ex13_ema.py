"""Hidden checks for EMA: the formula over several updates, and what may not change."""

import copy

import torch
from torch import nn

from torchdojo.grading import check, mode_of, tensor

CONCEPTS = ("I22", "G23", "I19")

KEPT = {
    "averages_follow_the_formula": "the formula at usual decays and both ends, worth points though shared parameters may be wrong",
    "begins_with_a_copy": "the copy itself, worth a point without a right update",
    "the_average_is_for_evaluation": "mode and requires_grad, said by themselves",
}


class oracle:
    """Stores every version of the weights, and adds them up with their shares."""

    class EMA:
        def __init__(self, model, decay):
            self.model, self.decay = copy.deepcopy(model), decay
            self.versions = [[p.detach().clone() for p in model.parameters()]]
            for p in self.model.parameters():
                p.requires_grad = False
            for part in self.model.modules():
                part.training = False

        def update(self, model):
            self.versions.append([p.detach().clone() for p in model.parameters()])
            last, shares = len(self.versions) - 1, []
            for k in range(last + 1):
                shares.append(self.decay ** (last - k) * (1 if k == 0 else 1 - self.decay))
            for k, p in enumerate(self.model.parameters()):
                p.data.copy_(sum(share * version[k] for share, version in zip(shares, self.versions, strict=True)))
            buffers = dict(model.named_buffers())
            for name, own in self.model.named_buffers():
                own.data.copy_(buffers[name])


def filled(model, x, shift=0.0):
    """The model in the dtype of x, on its device; its parameters depend on x and on their places."""
    model.to(x.device, x.dtype)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            numbers = torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7 + shift).sin().reshape(p.shape)
            p.copy_(numbers.to(x.device, x.dtype) + x.mean() + shift)
    return model


def plain():
    return nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.5), nn.Sequential(nn.Linear(2, 2), nn.LayerNorm(2)))


def weights(model):
    return {name: p.detach().clone() for name, p in model.named_parameters()}


@check(points=3, x=tensor("3"), decay=[0.75, 0.9, 0.0, 1.0], updates=[1, 3])
def averages_follow_the_formula(solution, x, decay, updates):
    """After each update the averages are decay * average + (1 - decay) * weight."""
    model = filled(plain(), x)
    ema, steps = solution.EMA(model, decay), {}
    for k in range(updates):
        filled(model, x, shift=1.0 + k)
        ema.update(model)
        steps[f"update {k}"] = weights(ema.model)
    return steps


@check(points=1, x=tensor("3"), decay=[0.75], devices=False)
def begins_with_a_copy(solution, x, decay):
    """The averages begin with the model's weights, and training the model doesn't change them."""
    model = filled(plain(), x)
    ema = solution.EMA(model, decay)
    filled(model, x, shift=1.0)
    return {"averages": weights(ema.model), "weights of the model": weights(model)}


@check(points=3, x=tensor("3"), decay=[0.75, 0.0], devices=False)
def buffers_are_copied(solution, x, decay):
    """After an update the buffers of the copy are those of the model."""
    model = filled(nn.Sequential(nn.BatchNorm1d(3), nn.Linear(3, 1)), x)
    ema, steps = solution.EMA(model, decay), {}
    for k in range(2):
        model[0].running_mean.copy_(x + k)
        model[0].running_var.copy_(x.square() + 1 + k)
        model[0].num_batches_tracked += 3
        ema.update(model)
        steps[f"update {k}"] = {name: own.clone() for name, own in ema.model.named_buffers()}
    return steps


@check(points=2, x=tensor("3"), decay=[0.75], training=[True, False], devices=False, beside=True)
def the_average_is_for_evaluation(solution, x, decay, training):
    """The copy is in evaluation mode, requires no gradients, and leaves the model as it is."""
    model = filled(plain(), x).train(training)
    for p in model.parameters():
        p.grad = torch.ones_like(p)
    ema = solution.EMA(model, decay)
    start, before = weights(ema.model), weights(model)
    ema.update(model)
    parameters = list(ema.model.parameters())
    return start, {
        "modes of the copy": [mode_of(part) for part in ema.model.modules()],
        "modes of the model": [mode_of(part) for part in model.modules()],
        "averages with requires grad": sum(p.requires_grad for p in parameters),
        "averages with a graph": sum(p.grad_fn is not None for p in parameters),
        "gradients of the model unchanged": all(p.grad is not None and bool((p.grad == 1).all()) for p in model.parameters()),
        "weights of the model unchanged": all(torch.equal(before[name], p) for name, p in model.named_parameters()),
        "parameters of the model require grad": all(p.requires_grad for p in model.parameters()),
    }


@check(points=1, star=True, x=tensor("3"), decay=[0.75], devices=False)
def shared_parameters_move_once(solution, x, decay):
    """A parameter that two modules share is updated once, and stays shared."""
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    model[1].weight = model[0].weight
    ema = solution.EMA(filled(model, x), decay)
    filled(model, x, shift=1.0)
    ema.update(model)
    return {"averages": weights(ema.model), "same parameter": ema.model[0].weight is ema.model[1].weight}


@check(points=1, star=True, x=tensor("3"), decay=[0.75], devices=False, beside=True)
def averages_stay_the_same_objects(solution, x, decay):
    """An update changes the averages in place."""
    model = filled(plain(), x)
    ema = solution.EMA(model, decay)
    start, before = weights(ema.model), [(p, p.data_ptr()) for p in ema.model.parameters()]
    ema.update(model)
    after = list(ema.model.parameters())
    return start, {"same parameters": all(p is q and p.data_ptr() == place for (p, place), q in zip(before, after, strict=True))}
