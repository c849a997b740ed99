"""Hidden checks for LayerStack and prepare_finetuning: every layer is seen."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, mode_of, tensor, upstream

CONCEPTS = ("A02", "A06", "I02")

KEPT = {"optimizer_holds_what_the_model_has": "names the parameters that are missing, which the other checks see only by their effects"}


class oracle:
    """Layers registered by name, applied by name; an optimizer over named parameters."""

    class LayerStack(nn.Module):
        def __init__(self, sizes):
            super().__init__()
            self.hidden, self.head = nn.Module(), nn.Linear(sizes[-2], sizes[-1])
            self.add_module("head", self._modules.pop("head"))
            for i in range(len(sizes) - 2):
                self.hidden.add_module(str(i), nn.Linear(sizes[i], sizes[i + 1]))

        def forward(self, x):
            *layers, head = [m for m in self.modules() if isinstance(m, nn.Linear)]
            for layer in layers:
                x = nn.functional.relu(x @ layer.weight.T + layer.bias)
            return x @ head.weight.T + head.bias

    def prepare_finetuning(model, classes, lr):
        old = model.head
        model.head = nn.Linear(old.in_features, classes).to(old.weight.device, old.weight.dtype)
        return torch.optim.SGD([p for _, p in model.named_parameters()], lr=lr)


def fill(model, like):
    """Plain weights between -1 and 1 in the model, in the dtype and on the device of `like`; no unit is exactly at 0."""
    model.to(like.device, like.dtype)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    if isinstance(model, Odds):
        model.scale = nn.Parameter(model.scale.detach().bfloat16())
    return model


class Net(nn.Module):
    """A body, some buffers, and a head."""

    def __init__(self, features):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(features, 4), nn.BatchNorm1d(4))
        self.head = nn.Linear(4, 3)


class HeadFirst(nn.Module):
    """The head is registered before the body, and nothing else than the two is there."""

    def __init__(self, features):
        super().__init__()
        self.head = nn.Linear(features, 2)
        self.embedding = nn.Embedding(5, features)


class OtherHeads(nn.Module):
    """Other names hold the word head, or begin with it; none of these layers is model.head."""

    def __init__(self, features):
        super().__init__()
        self.body = nn.ModuleDict({"head": nn.Linear(features, 2)})
        self.head, self.header = nn.Linear(2, 2), nn.Linear(2, 3)


class Odds(nn.Module):
    """A parameter that is in no layer, of another dtype than the head (see fill), and one that two layers share."""

    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.body, self.twin, self.head = nn.Linear(features, 2), nn.Linear(features, 2), nn.Linear(2, 3)
        self.twin.weight = self.body.weight


class Bare(nn.Module):
    """Only a head."""

    def __init__(self, features):
        super().__init__()
        self.head = nn.Linear(features, 3)


def described(p):
    return f"{p.dtype} of shape {tuple(p.shape)} on {p.device}" + (", requires grad" if p.requires_grad else ", frozen")


def frozen_body(features):
    net = Net(features)
    net.body.requires_grad_(False)
    return net


def all_frozen(features):
    return Net(features).requires_grad_(False).eval()


MODELS = [Net, Bare, HeadFirst, OtherHeads]
SPECIAL = [frozen_body, all_frozen, Odds]
STACKS = [[2, 8, 8, 3], [4, 3], [3, 5, 2], [3, 2, 4, 3, 5], [1, 1, 1], [3, 3, 3, 3]]


@check(points=2, sizes=STACKS, rows=[[1.0, -2.0, 0.5, 3.0]], devices=False, beside=True)
def names_every_layer(solution, sizes, rows):
    """Every layer has a name in the parameters and in the state_dict."""
    given = list(sizes)
    model = solution.LayerStack(given)
    shapes = {name: tuple(p.shape) for name, p in model.named_parameters()}
    layers = [model.hidden[i] for i in range(len(sizes) - 2)] if hasattr(model.hidden, "__getitem__") else model.hidden.children()
    x = torch.tensor([rows[: sizes[0]]])
    head_only = fill(solution.LayerStack([sizes[0], sizes[-1]]), x)(x).detach()
    return head_only, {
        "names in order": ", ".join(shapes),
        "shapes": shapes,
        "keys of the state_dict": ", ".join(model.state_dict()),
        "number of parameters": len(list(model.parameters())),
        "layers are nn.Linear": all(isinstance(layer, nn.Linear) for layer in [*layers, model.head]),
        "modes of the layers after eval()": sorted({mode_of(m) for m in [*layers, model.eval().head]}),
        "sizes unchanged": given == sizes,
    }


@check(points=4, sizes=STACKS, x=tensor("rows 7"), axes=["two", "three", "one"])
def applies_every_layer(solution, sizes, x, axes, rng):
    """Scores and the gradients of every layer are right; load_state_dict copies every layer."""
    model, twin = fill(solution.LayerStack(list(sizes)), x), solution.LayerStack(list(sizes)).to(x.device, x.dtype)
    twin.load_state_dict(model.state_dict(), strict=False)
    rows = x[:, : sizes[0]]
    given = {"one": rows.sum(dim=0), "two": rows, "three": rows.reshape(-1, 1, sizes[0])}[axes]
    scores = model(given)
    found = gradients(scores, list(model.parameters()), upstream(scores, rng))
    again = {"scores of a second call": model(given), "scores of a model that loaded the state_dict": twin(given)}
    return {"scores": scores, **again, "gradients": found}


def held_by_the_optimizer(solution, model, classes, lr):
    """What the optimizer holds, and with which settings; which parameters of the model are new."""
    before = dict(model.named_parameters())
    opt = solution.prepare_finetuning(model, classes, lr)
    names = {id(p): name for name, p in model.named_parameters()}
    groups = opt.param_groups
    return {
        "held": ", ".join(sorted(names.get(id(p), "(not the model's)") for group in groups for p in group["params"])),
        "new parameters": ", ".join(name for name, p in model.named_parameters() if p is not before.get(name)),
        "learning rates": sorted({float(group["lr"]) for group in groups}),
        "momentum": sorted({float(group["momentum"]) for group in groups}),
        "is an SGD": isinstance(opt, torch.optim.SGD),
    }


@check(points=3, x=tensor("2 features"), make=MODELS, classes=[5, 3, 2, 1], lr=[0.5, 0.25], minimum=1)
def optimizer_holds_what_the_model_has(solution, x, make, classes, lr):
    """The optimizer holds each parameter of the model once, including the new head's."""
    return held_by_the_optimizer(solution, fill(make(x.shape[1]), x), classes, lr)


@check(points=1, star=True, x=tensor("2 features"), make=SPECIAL, minimum=1)
def optimizer_holds_frozen_and_shared_parameters(solution, x, make):
    """Frozen parameters stay frozen; frozen, shared and loose parameters are each held once."""
    model = fill(make(x.shape[1]), x)
    held = held_by_the_optimizer(solution, model, 5, 0.5)
    return {**held, "frozen": ", ".join(name for name, p in model.named_parameters() if not p.requires_grad)}


@check(points=2, star=True, x=tensor("2 features"), make=MODELS, classes=[5, 3, 2, 1], on=["x", "meta", "bfloat16"], minimum=1)
def new_head_is_like_the_old(solution, x, make, classes, on):
    """The new head has the old one's input size, dtype and device."""
    model = fill(make(x.shape[1]), x)
    model = model.to("meta") if on == "meta" else model
    old = model.head.to(torch.bfloat16) if on == "bfloat16" else model.head
    solution.prepare_finetuning(model, classes, 0.1)
    return {
        **{name: described(p) for name, p in model.named_parameters()},
        "the head is a new nn.Linear": isinstance(model.head, nn.Linear) and model.head is not old,
    }


@check(points=1, x=tensor("2 features"), make=MODELS, lr=[0.5, 0.25], minimum=1, dtypes=("float32",), devices=False)
def steps_are_plain(solution, x, make, lr):
    """Everything but the head keeps its values; a step subtracts lr times grad."""
    model = fill(make(x.shape[1]), x)
    opt = solution.prepare_finetuning(model, 4, lr)
    with torch.no_grad():
        model.head.weight.fill_(2.0), model.head.bias.fill_(3.0)
    kept = {name: t.detach().clone() for name, t in model.state_dict().items()}
    for _ in range(2):
        for p in model.parameters():
            p.grad = torch.ones_like(p)
        opt.step()
    return {"before the steps": kept, "after two steps": dict(model.state_dict()), "mode": mode_of(model)}


@check(points=1, star=True, made=["hidden layer", "head", "new head"], random=True, devices=False)
def starts_as_linear_does(solution, made):
    """New layers start with the values that nn.Linear chooses."""
    stack = solution.LayerStack([100, 60, 80])
    old = stack.head.weight.detach().clone()
    if made == "new head":
        solution.prepare_finetuning(stack, 90, 0.1)
    layer = stack.hidden[0] if made == "hidden layer" else stack.head
    scale = layer.in_features**0.5
    kept = int((layer.weight[:80] == old).all(dim=1).sum()) if made == "new head" else 0
    return {"values": [t.detach() * scale for t in (layer.weight, layer.bias)], "rows of the old head": kept}


@starts_as_linear_does.judge
def _(seen):
    if seen["rows of the old head"]:
        return "rows of the old head stand in the new one, which is to start afresh"
    for values, what in zip(seen["values"], ("weight", "bias"), strict=True):
        # nn.Linear draws evenly between -1 and 1 (times the scale taken out above): the mean size is 1/2
        if values.abs().max() > 1 or abs(values.abs().mean() - 0.5) > 0.2:
            return f"the {what} does not start with values like those that nn.Linear draws"
