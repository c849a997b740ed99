"""Hidden checks for count_parameters."""

import torch
from torch import nn

from torchdojo.grading import check, mode_of

CONCEPTS = ("I03",)

KEPT = {
    "parameters_of_all_depths_count": "the task itself, worth points without anything else",
    "any_size_and_dtype_counts": "a number is a number, said by itself",
    "frozen_ones_are_left_out_when_asked": "what trainable_only is for, said by itself",
}


class oracle:
    """A set of identities, and a sum."""

    def count_parameters(module, trainable_only=False):
        found = {id(p): p for m in module.modules() for p in m._parameters.values() if p is not None}
        return sum(p.numel() for p in found.values() if p.requires_grad or not trainable_only)


class Own(nn.Module):
    """Parameters directly on the module, beside children of children, without a bias."""

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.arange(12.0).reshape(3, 4))
        self.inner = nn.Sequential(nn.Linear(4, 2), nn.Sequential(nn.Linear(2, 3, bias=False)))


class Odd(nn.Module):
    """Parameters of no size, of no axis, in a part of a larger memory, of other dtypes and of whole numbers."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.none = nn.Parameter(torch.zeros(0, 5))
        self.part = nn.Parameter(torch.zeros(9, 4)[:3])
        self.short = nn.Parameter(torch.ones(7, dtype=torch.bfloat16))
        self.precise = nn.Parameter(torch.ones(2, 3, dtype=torch.float64))
        self.places = nn.Parameter(torch.arange(5), requires_grad=False)


class NoParameters(nn.Module):
    """What only looks like parameters: buffers, and a tensor that requires grad."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 2)
        self.register_buffer("kept", torch.zeros(100, requires_grad=True))
        self.register_buffer("mean", torch.zeros(4))
        self.loose = torch.zeros(50, requires_grad=True)


def tied_weights():
    model = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3))
    model[2].weight = model[0].weight
    return model


def tied_layers():
    layer = nn.Linear(4, 4)
    return nn.Sequential(layer, nn.Tanh(), layer, nn.Sequential(layer))


def frozen(model, *names):
    for name, p in model.named_parameters():
        p.requires_grad_(name not in names)
    return model


MODELS = {
    "one layer": lambda: nn.Linear(3, 2), "no bias": lambda: nn.Linear(3, 2, bias=False), "no parameters": nn.ReLU,
    "nested": lambda: nn.Sequential(nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 5), nn.Linear(5, 1))).eval(), "own parameters": Own,
    "embedding": lambda: nn.Embedding(7, 3), "lstm": lambda: nn.LSTM(2, 3), "equal numbers": lambda: nn.Sequential(nn.LayerNorm(2), nn.LayerNorm(2)),
    "batch norm": lambda: nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)), "buffers": NoParameters, "odd": Odd,
    "two dtypes": lambda: nn.Sequential(nn.Linear(3, 2).double(), nn.Linear(2, 7).bfloat16()),
    "tied weights": tied_weights, "tied layers": tied_layers,
    "partly frozen": lambda: frozen(nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 2)), "0.weight", "0.bias").eval(),
    "one part frozen": lambda: frozen(nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 2)), "0.bias", "1.weight"),
    "all frozen": lambda: frozen(nn.Linear(2, 2), "weight", "bias"), "flat": lambda: nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 5)),
}  # fmt: skip


def made(name, device):
    with torch.device(device):
        return MODELS[name]()


def whole(count):
    """The number, if it came as a float or in a tensor: its type costs the check that is about it."""
    number = count.item() if isinstance(count, torch.Tensor) and count.numel() == 1 else count
    return int(number) if isinstance(number, float) and number.is_integer() else number


@check(points=1, name=["one layer", "no bias", "no parameters", "nested", "own parameters", "embedding", "lstm", "equal numbers"])
def parameters_of_all_depths_count(solution, name, device):
    """Every parameter counts, whatever its name and module."""
    return whole(solution.count_parameters(made(name, device)))


@check(points=1, name=["tied weights", "tied layers"])
def shared_parameters_count_once(solution, name, device):
    """A parameter that is used in several places is counted once."""
    return whole(solution.count_parameters(made(name, device)))


@check(points=1, name=["batch norm", "buffers"])
def buffers_never_count(solution, name, device):
    """Buffers are left out, even those that require grad."""
    return whole(solution.count_parameters(made(name, device)))


@check(points=1, name=["odd", "two dtypes"])
def any_size_and_dtype_counts(solution, name, device):
    """Every element counts as 1, in any dtype; an empty parameter adds 0, and a 0-dim parameter adds 1."""
    return whole(solution.count_parameters(made(name, device)))


@check(points=1, name=["flat", "partly frozen", "one part frozen", "all frozen"])
def frozen_ones_are_left_out_when_asked(solution, name, device):
    """Frozen parameters count, but not with trainable_only."""
    model, count, said = made(name, device), solution.count_parameters, "count_parameters(model, {})"
    seen = {said.format("trainable_only=False"): whole(count(model, trainable_only=False)), said.format("True"): whole(count(model, True))}
    seen[said.format("trainable_only=True")] = whole(count(model, trainable_only=True))
    for p in model.parameters():
        p.requires_grad_(not p.requires_grad)
    return seen | {"count when the others are the frozen ones": whole(count(model, True))}


@check(points=1, name=["one layer", "nested", "no parameters"], trainable_only=[False, True], beside=True)
def result_is_an_int(solution, name, trainable_only, device):
    """The result is a Python int."""
    count = solution.count_parameters(made(name, device), trainable_only)
    return whole(count), {"type of the result": type(count).__name__}


@check(points=1, name=["flat", "huge", "partly frozen"], devices=False)
def shapes_are_enough(solution, name):
    """Counting works on the meta device and for huge models, and changes nothing."""
    model = nn.Linear(4097, 4099, device="meta") if name == "huge" else made(name, "meta")
    before = set(vars(model))
    count = whole(solution.count_parameters(model))
    seen = {"flags": [p.requires_grad for p in model.parameters()], "modes of its modules": [mode_of(m) for m in model.modules()]}
    return {"count": count, **seen, "new attributes of the model": len(set(vars(model)) - before)}
