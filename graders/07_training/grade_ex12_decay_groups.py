"""Hidden checks for decay_groups: which parameter is in which group, and what an optimizer makes of the groups."""

import torch
from torch import nn

from torchdojo.grading import check

CONCEPTS = ("I03", "I21")

KEPT = {
    "norms_do_not_decay": "the point of the exercise, said by itself",
}


class oracle:
    """Goes through the names, and asks for each whether its parameter has been there already."""

    def decay_groups(model, weight_decay):
        groups = [{"params": [], "weight_decay": weight_decay}, {"params": [], "weight_decay": 0.0}]
        for _, p in model.named_parameters(remove_duplicate=True):
            if p.requires_grad:
                groups[0 if len(p.shape) > 1 else 1]["params"].append(p)
        return groups


class Scaled(nn.Module):
    """A norm of somebody's own, with a gain by another name, and a table of biases with two axes."""

    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(4))
        self.bias_table = nn.Parameter(torch.zeros(3, 4))
        self.temperature = nn.Parameter(torch.ones(()))


def linear():
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Sequential(nn.Linear(4, 2, bias=False), nn.Linear(2, 5)))


def tables():
    return nn.ModuleDict({"words": nn.Embedding(5, 4), "image": nn.Conv2d(1, 2, 3), "series": nn.Conv1d(4, 4, 3, bias=False)})


def norms():
    return nn.ModuleDict({"layer_norm": nn.LayerNorm(4), "batch": nn.BatchNorm1d(4), "group": nn.GroupNorm(2, 4), "last": nn.Linear(4, 2)})


def own():
    return nn.ModuleList([Scaled(), nn.Linear(4, 3)])


def frozen():
    model = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Linear(4, 2))
    model[0].requires_grad_(False)
    model[1].bias.requires_grad_(False)
    return model


def tied():
    model = nn.ModuleDict({"embed": nn.Embedding(5, 4), "norm": nn.Linear(4, 4), "head": nn.Linear(4, 5)})
    model.head.weight = model.embed.weight
    model.also = nn.Linear(4, 4)
    model.also.bias = model.norm.bias
    return model


def names(model, groups):
    """Which parameters each group has. A parameter that isn't the model's has no name."""
    by_id = {id(p): name for name, p in model.named_parameters()}
    return {label: [by_id.get(id(p), "not a parameter of the model") for p in group["params"]] for label, group in zip(("decayed", "others"), groups, strict=True)}


@check(points=2, build=[linear, tables], devices=False)
def weights_decay_and_biases_do_not(solution, build):
    """Weights with two or more axes are in the first group, biases in the second."""
    model = build()
    return names(model, solution.decay_groups(model, 0.1))


@check(points=2, build=[norms, own], devices=False)
def norms_do_not_decay(solution, build):
    """The number of axes decides, not the name or the kind of layer."""
    model = build()
    return names(model, solution.decay_groups(model, 0.1))


@check(points=2, weight_decay=[0.1, 0.0, 2.5], devices=False)
def an_optimizer_gets_both_values(solution, weight_decay):
    """In an optimizer, one group has the given weight decay, the other has 0."""
    opt = torch.optim.AdamW(solution.decay_groups(linear(), weight_decay), lr=0.1)
    return {"weight decay": [float(group["weight_decay"]) for group in opt.param_groups]}


@check(points=1, star=True, devices=False)
def frozen_parameters_are_left_out(solution):
    """Parameters that don't require gradients are in neither group."""
    model = frozen()
    groups = solution.decay_groups(model, 0.1)
    return {"parameters": sorted(name for group in names(model, groups).values() for name in group)}


@check(points=1, star=True, devices=False)
def shared_parameters_come_once(solution):
    """A parameter that two modules share is in one group, once."""
    model = tied()
    groups = solution.decay_groups(model, 0.1)
    return {"parameters": sorted(name for group in names(model, groups).values() for name in group)}
