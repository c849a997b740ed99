"""Hidden checks for count_parameters."""

import torch
from torch import nn

from torchdojo.grading import check

CONCEPTS = ("I03",)

KEPT = {"every_parameter_counts_once": "the task itself, worth points without trainable_only"}


class oracle:
    """A set of identities, and a sum."""

    def count_parameters(module, trainable_only=False):
        found = {id(p): p for m in module.modules() for p in m._parameters.values() if p is not None}
        return sum(p.numel() for p in found.values() if p.requires_grad or not trainable_only)


class Own(nn.Module):
    """Parameters directly on the module, also of no size, of no axis, and in a part of a larger memory; and what only looks like one."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.none = nn.Parameter(torch.zeros(0, 5))
        self.table = nn.Parameter(torch.zeros(9, 4)[:3])
        self.inner = nn.Sequential(nn.Linear(4, 2), nn.Sequential(nn.Linear(2, 3, bias=False)))
        self.register_buffer("kept", torch.zeros(100, requires_grad=True))
        self.loose = torch.zeros(50, requires_grad=True)


def tied_weights():
    model = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3))
    model[2].weight = model[0].weight
    return model


def tied_layers():
    layer = nn.Linear(4, 4)
    return nn.Sequential(layer, nn.Tanh(), layer, nn.Sequential(layer))


def with_integers():
    """A layer, and a frozen parameter of whole numbers."""
    model = nn.Linear(3, 2)
    model.places = nn.Parameter(torch.arange(5), requires_grad=False)
    return model


def frozen(model, *names):
    for name, p in model.named_parameters():
        p.requires_grad_(name not in names)
    return model


def tied_and_frozen():
    return frozen(tied_weights(), "0.weight")


def models(device):
    with torch.device(device):
        return {
            "one layer": nn.Linear(3, 2), "nested": nn.Sequential(nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 5), nn.Linear(5, 1))).eval(),
            "own parameters": Own(), "tied weights": tied_weights(), "tied layers": tied_layers(), "tied and frozen": tied_and_frozen(),
            "batch norm": nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)), "no parameters": nn.ReLU(), "embedding": nn.Embedding(7, 3),
            "own parameters, partly frozen": frozen(Own(), "scale", "inner.0.bias"),
            "partly frozen": frozen(nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 2)), "0.weight", "0.bias"),
            "all frozen": frozen(nn.Linear(2, 2), "weight", "bias"), "lstm": nn.LSTM(2, 3), "no bias": nn.Linear(3, 2, bias=False),
            "two dtypes": nn.Sequential(nn.Linear(3, 2).double(), nn.Linear(2, 7).bfloat16()),
            "integers": with_integers(), "equal numbers": nn.Sequential(nn.BatchNorm1d(2), nn.LayerNorm(2)),
        }  # fmt: skip


NAMES = list(models("cpu"))


@check(points=3, name=NAMES)
def every_parameter_counts_once(solution, name, device):
    """Every parameter is counted once, wherever it sits."""
    return solution.count_parameters(models(device)[name])


@check(points=2, name=NAMES)
def frozen_ones_are_left_out_when_asked(solution, name, device):
    """With trainable_only, frozen parameters are left out."""
    model, count, said = models(device)[name], solution.count_parameters, "count_parameters(model, {})"
    seen = {said.format("trainable_only=False"): count(model, trainable_only=False), said.format("True"): count(model, True)}
    seen[said.format("trainable_only=True")] = count(model, trainable_only=True)
    flags = [p.requires_grad for p in model.parameters()]
    for p in model.parameters():
        p.requires_grad_(not p.requires_grad and p.is_floating_point())
    return seen | {"requires_grad": flags, "count when the others are the frozen ones": count(model, True)}


@check(points=1, name=["nested", "batch norm", "tied layers", "huge", "partly frozen"], devices=False)
def shapes_are_enough(solution, name):
    """It works on the meta device too, for huge models too, and changes nothing."""
    model = nn.Linear(4097, 4099, device="meta") if name == "huge" else models("meta")[name]
    before = set(vars(model))
    count = solution.count_parameters(model)
    seen = {"flags": [p.requires_grad for p in model.parameters()], "parts in train mode": [m.training for m in model.modules()]}
    return {"count": count, **seen, "new attributes of the model": len(set(vars(model)) - before)}
