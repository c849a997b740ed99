"""Hidden checks for pick_device and to_device."""

from collections import namedtuple

import numpy as np
import torch
from torch import nn

from torchdojo.grading import check, tensor

CONCEPTS = ("B05", "F01", "F02", "F04", "F05", "F06", "I04")
KEPT = {"gives_exactly_what_was_asked_for": "the task's part of it: names without an index"}

Batch = namedtuple("Batch", ["x", "rest"])
Alone = namedtuple("Alone", ["only"])


class oracle:
    """A list of everything that a machine has; and a walk through the structure with a stack of its own."""

    def pick_device(prefer, available):
        there = {f"{kind}:{k}" for kind, count in available.items() if kind != "cpu" for k in range(count)} | {"cpu:0"}
        if prefer == "auto":
            return torch.device(next(kind for kind in ("cuda", "mps", "cpu") if f"{kind}:0" in there))
        if prefer not in there and f"{prefer}:0" not in there:
            raise ValueError(f"{prefer} is missing")
        try:
            return torch.device(prefer)
        except RuntimeError:
            raise ValueError(f"{prefer} is unknown") from None

    def to_device(obj, device):
        place = torch.device(device)
        if isinstance(obj, torch.Tensor):
            same = obj.device == place or (obj.device.type == place.type and place.index is None)
            return obj if same else torch.Tensor.to(obj, place)
        if type(obj) is dict:
            return dict(zip(obj.keys(), [oracle.to_device(v, place) for v in obj.values()], strict=True))
        if type(obj) is list or type(obj) is tuple:
            return type(obj)([oracle.to_device(v, place) for v in obj])
        if isinstance(obj, tuple):
            return obj._replace(**{name: oracle.to_device(getattr(obj, name), place) for name in obj._fields})
        return obj


class Answers:
    """An object of a stranger: it can be iterated, indexed and moved, and is none of our business."""

    _fields = ("tensor", "moved")

    def __init__(self):
        self.tensor, self.moved = torch.ones(2), []

    def __iter__(self):
        return iter([self.tensor])

    def __getitem__(self, key):
        return self.tensor

    def __len__(self):
        return 1

    def items(self):
        return [("a", self.tensor)]

    def to(self, *args, **kwargs):
        self.moved.append(args)
        return self


def picked(solution, prefer, available):
    """The device as type and index, or the error; and what became of `available`."""
    given = dict(available)
    try:
        found = solution.pick_device(prefer, given)
    except NotImplementedError:
        raise
    except Exception as error:
        kind = "ValueError" if isinstance(error, ValueError) else type(error).__name__
        return {"raises": kind, "device": None, "type": None, "index": None, "the message names it": prefer in str(error), "available unchanged": given == available}
    kept = {"raises": "nothing", "the message names it": None, "available unchanged": given == available}
    if not isinstance(found, torch.device):
        return kept | {"device": found, "type": None, "index": None}
    return kept | {"device": found, "type": found.type, "index": found.index}


FACTS = {
    "raises": "{} raises", "device": "{}", "type": "type of {}", "index": "index of {}", "the message names it": "the message of {} names it",
    "available unchanged": "available unchanged by {}",
}  # fmt: skip


def each_picked(solution, names, available):
    """What is found for each name, under keys such as "pick_device('cpu:1') raises"."""
    asked = {name: picked(solution, name, available) for name in names}
    return {FACTS[fact].format(f"pick_device({name!r})"): value for name, found in asked.items() for fact, value in found.items()}


def described(value):
    """The structure as text, then what is at each place that holds a tensor."""
    return {"structure": outline(value), "what is in": dict(tensors_at(value, "result"))}


def outline(value):
    """Containers and plain values as Python shows them, tensors and other objects by name."""
    if isinstance(value, torch.Tensor):
        return "tensor"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {outline(v)}" for key, v in value.items()) + "}" + ("" if type(value) is dict else f" of type {type(value).__name__}")
    if isinstance(value, (list, tuple)):
        inner = ", ".join(outline(v) for v in value)
        plain = {list: f"[{inner}]", tuple: f"({inner}{',' * (len(value) == 1)})"}
        return plain.get(type(value), f"{type(value).__name__}({inner})")
    return repr(value) if isinstance(value, (str, int, float, type(None))) else f"an object of type {type(value).__name__}"


def tensors_at(value, place):
    """(place, properties) of each tensor."""
    if isinstance(value, torch.Tensor):
        numbers = None if value.is_meta else value.detach()
        yield place, {"device": value.device.type, "shape": tuple(value.shape), "dtype": value.dtype, "numbers": numbers}
    elif isinstance(value, (dict, list, tuple)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from tensors_at(part, f"{place}[{key!r}]")


def containers(value):
    """The identities of all lists and dicts in a structure."""
    found = {id(value)} if isinstance(value, (dict, list)) else set()
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return found.union(*(containers(v) for v in inner))


def structures(x, mask, ids):
    return {
        "a tensor": x,
        "a list": [x, mask, ids],
        "a tuple": (x, "name", ids),
        "a tuple of one": (x,),
        "a dict": {"x": x, "ids": ids, 3: mask, "label": "text", (1, 2): x},
        "deep": {"b": [(x, {"c": [ids]}), {"d": (None, x)}], "a": mask},
        "deep lists": [[[[[[x]]]]], [(mask,)]],
        "no tensor": ["a", ("b", 1.5), {"c": None, "d": True}],
        "text": "abc",
    }


def named_tuples(x, mask, ids):
    return {
        "a named tuple": Batch(x, ids),
        "a named tuple of one": Alone(x),
        "a named tuple of one list": Alone([x, mask]),
        "deep": {"a": [(x, ids), Batch([Alone(mask)], {"c": (None, x)})]},
    }


STRUCTURES, NAMED = list(structures(None, None, None)), list(named_tuples(None, None, None))
HAVE = [{"cuda": 2, "mps": 0}, {}, {"mps": 1}, {"cuda": 0, "mps": 1}, {"mps": 1, "cuda": 1}, {"cuda": 0}, {"xpu": 3}]
HAVE += [{"cuda": 1, "xpu": 1, "meta": 1}, {"cpu": 1, "cuda": 4}]


@check(points=3, available=HAVE, devices=False)
def auto_takes_the_best_that_is_there(solution, available):
    """The choice "auto" gives the best device that the given machine has, without an index."""
    return each_picked(solution, ("auto",), available)


@check(points=2, available=HAVE, devices=False)
def gives_exactly_what_was_asked_for(solution, available):
    """A device type gives exactly that device, or raises a ValueError that names it."""
    return each_picked(solution, ("cpu", "cuda", "mps", "xpu", "meta"), available)


@check(points=1, star=True, available=HAVE, devices=False)
def keeps_the_index(solution, available):
    """A name with an index gives exactly that device, or raises a ValueError that names it."""
    names = ["cpu:0", "cpu:1", "cuda:0", "cuda:1", "cuda:2", "cuda:4", "mps:0", "mps:1", "xpu:2", "xpu:3"]
    return each_picked(solution, names, available)


@check(points=1, star=True, available=[*HAVE, {"gpu": 2, "tpu0": 1}], devices=False)
def refuses_names_that_nobody_knows(solution, available):
    """A name that PyTorch does not know raises a ValueError that contains the name."""
    names = ["gpu", "", "cuda:x", "cuda:", "CUDA", "cuda:-1", ":0", "auto:0", "cuda:01", "cpu:x", "cuda:1:0", "tpu0", "cuda1"]
    return each_picked(solution, names, available)


def moved(solution, make, x, mask, ids, structure, as_text, device):
    """What a structure becomes on three devices, and what became of it."""
    found = {}
    for place in ("meta", "cpu", str(device)):
        given = make(x.cpu(), mask.cpu(), ids.cpu())[structure]
        result = solution.to_device(given, place if as_text else torch.device(place))
        found[f"on {place}"] = described(result)
        found["what was passed in"] = described(given)
        found["the caller's containers in the result"] = len(containers(given) & containers(result))
    return found


PARTS = {"x": tensor("n 3"), "mask": tensor("n", dtype="bool"), "ids": tensor("", dtype="int64"), "as_text": [True, False]}


@check(points=3, **PARTS, structure=STRUCTURES)
def moves_every_tensor(solution, x, mask, ids, structure, as_text, device):
    """Each tensor is moved, however deeply nested; containers keep type, keys and order."""
    return moved(solution, structures, x, mask, ids, structure, as_text, device)


@check(points=1, star=True, **PARTS, structure=NAMED)
def keeps_named_tuples(solution, x, mask, ids, structure, as_text, device):
    """A named tuple becomes a named tuple of the same type."""
    return moved(solution, named_tuples, x, mask, ids, structure, as_text, device)


@check(points=1, star=True, x=tensor("n 3"), device_of=["tensor", "name"], beside=True)
def returns_what_is_there_already(solution, x, device_of):
    """A tensor that is already on the device is returned as the same object."""
    place = x.device if device_of == "tensor" else x.device.type
    view, weight = x[:1], nn.Parameter(x.clone())
    moved = solution.to_device({"x": x, "more": [view, (weight,)]}, place)
    same = [solution.to_device(x, place) is x, moved["x"] is x, moved["more"][0] is view, moved["more"][1][0] is weight]
    return solution.to_device(x, "meta").device.type, {"the same objects": same}


@check(points=1, star=True, x=tensor("n 3"))
def keeps_the_graph(solution, x, rng, device):
    """A tensor that was moved is still connected to the graph of the original."""
    weight = nn.Parameter(torch.full((3,), 2.0, dtype=x.dtype))
    leaf = x.cpu().requires_grad_()
    parts = solution.to_device([leaf * weight, {"leaf": leaf, "weight": weight}], device)
    total = (parts[0] * 3.0).sum() + (parts[1]["leaf"] ** 2).sum() + (parts[1]["weight"] * 5.0).sum()
    total.backward()
    found = {"gradient of the leaf": leaf.grad, "gradient of the weight": weight.grad}
    on_meta = solution.to_device((leaf, leaf * weight, weight, x.detach().cpu()), "meta")
    found |= {"moved to meta, it is on": [t.device.type for t in on_meta]}
    return found | {"moved to meta, requires grad": [t.requires_grad for t in on_meta]}


@check(points=1, x=tensor("n 3"), place=["meta", "cpu"], beside=True)
def leaves_other_objects_alone(solution, x, place):
    """Anything that is not a tensor, dict, list or tuple is returned as the same object."""
    model, stranger = nn.Linear(2, 2), Answers()
    others = {"a model": model, "a set": {1, 2}, "a frozen set": frozenset("ab"), "bytes": b"ab", "a range": range(3)}
    others |= {"a function": len, "a stranger": stranger, "an iterator": iter([1, 2]), "a class": dict, "a dtype": torch.int64}
    others |= {"a device": torch.device("cpu"), "a string": "a long string", "a complex": 1j, "an array": np.ones((2, 3))}
    whole = solution.to_device(others, place)
    single = {name: solution.to_device(value, place) for name, value in others.items()}
    found = {name: single[name] is value and whole[name] is value for name, value in others.items()}
    found["the iterator still has everything"] = list(others["an iterator"]) == [1, 2]
    found |= {"the model is on": str(model.weight.device), "the stranger was moved": len(stranger.moved)}
    return solution.to_device(x, "meta").device.type, found
