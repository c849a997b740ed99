"""Known mistakes and unusual but correct solutions for pick_device and to_device."""

import numpy as np  # noqa: F401 (for an edit)
import torch
from torch.utils._pytree import tree_map

from torchdojo.variants import alternative, mistake

HINTS = (
    "pick_device: first find out which device is meant, then whether the machine has it. to_device: which "
    "kinds of object are there, and what has to happen to each?",
    "For \"auto\", go through the kinds in their order and take the first with a count above 0; \"cpu\" needs no "
    "count. A nested structure calls for a function that calls itself for each value.",
    "to_device: move a tensor; make a new dict from the moved items, a new list or tuple from the moved values. "
    "What is left for all other objects? For full marks, torch.device(name) splits a name into type and index, "
    "and a named tuple (it has _fields) gets its values as separate arguments.",
)


@mistake("pick_device", pitfall='silently get "cpu"')
def falls_back_to_the_cpu(prefer, available):
    """A missing device was silently replaced with the CPU: raise ValueError, so that the caller notices."""
    counts = {**available, "cpu": 1}
    if prefer == "auto":
        prefer = next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind))
    kind, _, index = prefer.partition(":")
    return torch.device(prefer if int(index or 0) < counts.get(kind, 0) else "cpu")


asks_the_real_machine = mistake.edited(
    'prefer = next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind, 0) > 0)',
    'return torch.device("cuda" if torch.cuda.is_available() else "cpu")',
    '"auto" did not follow `available`: only the counts in it say what the machine in question has.',
    pitfall="do not ask the real machine")

ignores_the_index = mistake.edited("(device.index or 0) >= counts.get(device.type, 0)", "not counts.get(device.type)",
    "Only the kind was compared, so an index that the machine does not have came through: there are devices 0 to count - "
    "1.")

@mistake("pick_device")
def looks_up_the_whole_name(prefer, available):
    """A name with an index is not found: `available` lists kinds, so look up the part before the colon."""
    counts = {**available, "cpu": 1}
    if prefer == "auto":
        prefer = next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind))
    if not counts.get(prefer):
        raise ValueError(f"no device {prefer}")
    return torch.device(prefer)


keeps_the_name_to_itself = mistake.edited('f"PyTorch knows no device {prefer!r}"', '"PyTorch does not know it"',
    "The ValueError is right, but its message does not contain the name that was asked for: put it in.",
    also=[('f"this machine has no device {prefer!r}, only {counts}"', '"this machine does not have it"')], common=True)

takes_the_most = mistake.edited('next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind, 0) > 0)', "max(counts, key=counts.get)",
    '"auto" took the kind of which there are most: take the first of cuda, mps and cpu that is there, however many there are.')

counts_from_one = mistake.edited(
    "(device.index or 0) >= counts.get(device.type, 0)",
    "not counts.get(device.type) or (device.index or 0) > counts[device.type]",
    "Devices are counted from 0: the last index is the number of devices minus 1.")

drops_the_index = mistake.edited("return device", "return torch.device(device.type)",
    "The index was lost: if the caller asks for the second device, return the second.")

listed_means_there = mistake.edited("counts.get(kind, 0) > 0", "kind in counts",
    "A kind that is listed with a count of 0 was taken as present: look at the number, not only at the key.",
    also=[("(device.index or 0) >= counts.get(device.type, 0)",
         "device.type not in counts or (device.index or 0) >= max(counts[device.type], 1)")])

needs_the_cpu_listed = mistake.edited('{**available, "cpu": 1}', "available",
    "The CPU was missing because nobody listed it: it is always there.",
    also=[('prefer = next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind, 0) > 0)',
         'return torch.device(next((kind for kind in ("cuda", "mps", "cpu") if counts.get(kind, 0) > 0), "cpu"))')])

adds_to_available = mistake.edited('counts = {**available, "cpu": 1}', 'available["cpu"] = 1\ncounts = available',
    "`available` itself was changed: it is the caller's dict, so write into a copy of it.")

lets_the_runtime_error_through = mistake.edited(
    'raise ValueError(f"PyTorch knows no device {prefer!r}") from None', "raise",
    "For a name that PyTorch does not know, its RuntimeError reached the caller: raise ValueError for every bad name.")

always_cuda = mistake.edited("return obj.to(device)", "return obj.cuda()",
    "A tensor was moved to a GPU whatever was asked for, as by .cuda(), which fails on a machine without one: use .to(device).",
    common=True)

changes_the_containers = mistake.edited(
    "return {key: to_device(value, device) for key, value in obj.items()}",
    "obj.update({key: to_device(value, device) for key, value in obj.items()})\nreturn obj",
    "The caller's own dict or list was changed: build a new container.",
    also=[(
        "if isinstance(obj, (list, tuple)):",
        """
        if isinstance(obj, list):
            obj[:] = [to_device(value, device) for value in obj]
            return obj
        if isinstance(obj, (list, tuple)):
        """,
    )])

changes_the_dicts = mistake.edited(
    "return {key: to_device(value, device) for key, value in obj.items()}",
    "obj.update({key: to_device(value, device) for key, value in obj.items()})\nreturn obj",
    "The caller's own dict was changed: build a new one.")

breaks_named_tuples = mistake.edited(
    "type(obj)(*(to_device(value, device) for value in obj))",
    "type(obj)([to_device(value, device) for value in obj])",
    "A named tuple wants its values as separate arguments, not as one list: type(obj)(*values).")

forgets_the_names = mistake.edited(
    "type(obj)(*(to_device(value, device) for value in obj))",
    "tuple(to_device(value, device) for value in obj)",
    "A named tuple came back as a plain tuple, without its names: build it with its own type.")

tuples_become_lists = mistake.edited(
    "type(obj)(to_device(value, device) for value in obj)", "[to_device(value, device) for value in obj]",
    "A tuple came back as a list: keep the type of each container.")

all_become_lists = mistake.edited(
    "type(obj)(to_device(value, device) for value in obj)", "[to_device(value, device) for value in obj]",
    "Tuples and named tuples came back as lists: keep the type of each container.",
    also=[("type(obj)(*(to_device(value, device) for value in obj))", "[to_device(value, device) for value in obj]")])

leaves_tuples = mistake.edited("isinstance(obj, (list, tuple))", "isinstance(obj, list)",
    "Tensors in a tuple were left behind: a tuple is a container, too, so make a new one.",
    also=[('isinstance(obj, tuple) and hasattr(obj, "_fields")', "False")])

leaves_the_tensors = mistake.edited("return obj.to(device)", "return obj",
    "The tensors stayed where they were: obj.to(device) returns a moved tensor and leaves obj alone, so return what it returns.")

splits_strings = mistake.edited(
    "return obj",
    'return [v if isinstance(obj, str) else to_device(v, device) for v in obj] if hasattr(obj, "__iter__") else obj',
    "A string was taken apart into letters because it can be iterated: treat only dicts, lists and tuples as containers.",
    occurrence=2,
    pitfall="A string can be iterated too")


@mistake("to_device")
def one_level_deep(obj, device):
    """Tensors further down were left behind: call the function again for each value, however deep."""

    def move(value):
        return value.to(device) if isinstance(value, torch.Tensor) else value

    if isinstance(obj, dict):
        return {key: move(value) for key, value in obj.items()}
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*(move(value) for value in obj))
    if isinstance(obj, (list, tuple)):
        return type(obj)(move(value) for value in obj)
    return move(obj)


cuts_the_graph = mistake.edited(
    "obj.to(device)", "obj if obj.device == torch.device(device) else obj.detach().to(device)",
    "The moved tensor lost its history: .to() alone keeps the graph, without detach() or .data.")

always_copies = mistake.edited("return obj.to(device)", "return obj.clone().to(device)",
    "A tensor that was already on the device was copied: .to(device) returns it as it is.")

moves_models_too = mistake.edited("if isinstance(obj, torch.Tensor):", 'if hasattr(obj, "to"):',
    "A model inside the structure was moved as well, in place: only tensors move, so ask for the type, not for a method "
    "named `to`.")

plain_tensors_only = mistake.edited("if isinstance(obj, torch.Tensor):", "if type(obj) is torch.Tensor:",
    "An nn.Parameter was left behind: it is a tensor too, so ask with isinstance instead of comparing types.")

sorts_the_keys = mistake.edited(
    "for key, value in obj.items()", "for key, value in sorted(obj.items(), key=lambda item: str(item[0]))",
    "The keys of a dict came back in another order: walk through the dict as it is.")

makes_tensors_of_arrays = mistake.edited(
    "if isinstance(obj, torch.Tensor):",
    """
    if isinstance(obj, np.ndarray):
        return torch.from_numpy(obj).to(device)
    if isinstance(obj, torch.Tensor):
    """,
    "A NumPy array came back as a tensor: only tensors move; an array stays what it is.")


@alternative("pick_device")
def by_hand(prefer, available):
    """Splits the name itself and builds the device from its parts."""
    have = {kind: count for kind, count in available.items() if count > 0} | {"cpu": 1}
    if prefer == "auto":
        return torch.device([kind for kind in ("cuda", "mps", "cpu") if kind in have][0])
    kind, colon, index = prefer.partition(":")
    if kind not in have or (colon and not (index.isdecimal() and str(int(index)) == index)):
        raise ValueError(f"no such device: {prefer}")
    if colon and int(index) >= have[kind]:
        raise ValueError(f"no such device: {prefer}")
    try:
        return torch.device(kind, int(index)) if colon else torch.device(kind)
    except RuntimeError as error:
        raise ValueError(f"no such device: {prefer}") from error


@alternative("to_device")
def by_type(obj, device):
    """match instead of isinstance."""
    match obj:
        case torch.Tensor():
            return obj.to(device=device)
        case dict():
            return dict((key, by_type(value, device)) for key, value in obj.items())
        case list():
            return list(map(lambda value: by_type(value, device), obj))
        case tuple():
            values = [by_type(value, device) for value in obj]
            return obj._make(values) if hasattr(obj, "_make") else tuple(values)
        case _:
            return obj


@alternative("to_device")
def with_pytree(obj, device):
    """PyTorch's own walk through nested containers."""
    return tree_map(lambda leaf: leaf.to(device) if isinstance(leaf, torch.Tensor) else leaf, obj)
