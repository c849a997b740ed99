"""Known mistakes and odd-but-correct solutions for pick_device and to_device."""

import numpy as np  # noqa: F401 (for an edit)
import torch
from ex04_devices import pick_device as right_pick_device
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


@mistake("pick_device")
def falls_back_to_the_cpu(prefer, available):
    """A device that is missing was silently replaced by the CPU: raise ValueError, so that nobody waits a
    night."""
    counts = {**available, "cpu": 1}
    if prefer == "auto":
        prefer = next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind))
    kind, _, index = prefer.partition(":")
    return torch.device(prefer if int(index or 0) < counts.get(kind, 0) else "cpu")


@mistake("pick_device")
def asks_the_real_machine(prefer, available):
    """The answer came from this machine: only `available` says what the machine in question has."""
    if prefer == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    counts = {**available, "cpu": 1}
    try:
        device = torch.device(prefer)
    except RuntimeError:
        raise ValueError(prefer) from None
    if (device.index or 0) >= counts.get(device.type, 0):
        raise ValueError(prefer)
    return device


@mistake("pick_device")
def ignores_the_index(prefer, available):
    """Only the kind was compared, so an index that the machine does not have came through: there are devices
    0 to count - 1."""
    counts = {**available, "cpu": 1}
    if prefer == "auto":
        prefer = next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind))
    try:
        device = torch.device(prefer)
    except RuntimeError:
        raise ValueError(prefer) from None
    if not counts.get(device.type):
        raise ValueError(prefer)
    return device


@mistake("pick_device")
def counts_from_one(prefer, available):
    """Devices are counted from 0: with two of them, index 2 is one too many."""
    counts = {**available, "cpu": 1}
    if prefer == "auto":
        prefer = next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind))
    try:
        device = torch.device(prefer)
    except RuntimeError:
        raise ValueError(prefer) from None
    if not counts.get(device.type) or (device.index or 0) > counts[device.type]:
        raise ValueError(prefer)
    return device


@mistake("pick_device")
def drops_the_index(prefer, available):
    """The index was lost on the way: who asks for the second device must get the second."""
    counts = {**available, "cpu": 1}
    if prefer == "auto":
        prefer = next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind))
    try:
        device = torch.device(prefer)
    except RuntimeError:
        raise ValueError(prefer) from None
    if (device.index or 0) >= counts.get(device.type, 0):
        raise ValueError(prefer)
    return torch.device(device.type)


@mistake("pick_device")
def listed_means_there(prefer, available):
    """A kind that is listed with a count of 0 was taken as present: look at the number, not only at the
    key."""
    if prefer == "auto":
        prefer = next((kind for kind in ("cuda", "mps") if kind in available), "cpu")
    try:
        device = torch.device(prefer)
    except RuntimeError:
        raise ValueError(prefer) from None
    if device.type not in {**available, "cpu": 1} or (device.index or 0) >= max(
        available.get(device.type, 1), 1
    ):
        raise ValueError(prefer)
    return device


@mistake("pick_device")
def needs_the_cpu_listed(prefer, available):
    """The CPU was missing because nobody listed it: it is always there."""
    if prefer == "auto":
        prefer = next((kind for kind in ("cuda", "mps", "cpu") if available.get(kind)), "cpu")
        return torch.device(prefer)
    try:
        device = torch.device(prefer)
    except RuntimeError:
        raise ValueError(prefer) from None
    if (device.index or 0) >= available.get(device.type, 0):
        raise ValueError(prefer)
    return device


@mistake("pick_device")
def adds_to_available(prefer, available):
    """`available` itself was changed: it is the caller's dict, so write into a copy of it."""
    available["cpu"] = 1
    return right_pick_device(prefer, available)


@mistake("pick_device")
def lets_the_runtime_error_through(prefer, available):
    """For a name that PyTorch does not know its RuntimeError came out: raise ValueError for every bad
    name."""
    counts = {**available, "cpu": 1}
    if prefer == "auto":
        prefer = next(kind for kind in ("cuda", "mps", "cpu") if counts.get(kind))
    device = torch.device(prefer)
    if (device.index or 0) >= counts.get(device.type, 0):
        raise ValueError(prefer)
    return device


always_cuda = mistake.edited("return obj.to(device)", "return obj.cuda()",
    ".cuda() moves to a GPU whatever was asked for, and fails on a machine without one: use .to(device).",
    common=True)


@mistake("to_device")
def changes_the_containers(obj, device):
    """The caller's own dict or list was changed: build a new container."""
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        for key in obj:
            obj[key] = changes_the_containers(obj[key], device)
    elif isinstance(obj, list):
        for i in range(len(obj)):
            obj[i] = changes_the_containers(obj[i], device)
    elif isinstance(obj, tuple):
        values = [changes_the_containers(value, device) for value in obj]
        return type(obj)(*values) if hasattr(obj, "_fields") else tuple(values)
    return obj


@mistake("to_device")
def breaks_named_tuples(obj, device):
    """A named tuple wants its values as separate arguments, not as one list: type(obj)(*values)."""
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {key: breaks_named_tuples(value, device) for key, value in obj.items()}
    if isinstance(obj, (list, tuple)):
        return type(obj)([breaks_named_tuples(value, device) for value in obj])
    return obj


@mistake("to_device")
def forgets_the_names(obj, device):
    """A named tuple came back as a plain tuple, without its names: build it with its own type."""
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {key: forgets_the_names(value, device) for key, value in obj.items()}
    if isinstance(obj, tuple):
        return tuple(forgets_the_names(value, device) for value in obj)
    if isinstance(obj, list):
        return [forgets_the_names(value, device) for value in obj]
    return obj


tuples_become_lists = mistake.edited(
    "type(obj)(to_device(value, device) for value in obj)", "[to_device(value, device) for value in obj]",
    "A tuple came back as a list: keep the type of each container.")


@mistake("to_device")
def splits_strings(obj, device):
    """A string was taken apart into letters because it can be iterated: treat only dicts, lists and tuples as
    containers."""
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {key: splits_strings(value, device) for key, value in obj.items()}
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*(splits_strings(value, device) for value in obj))
    if isinstance(obj, tuple):
        return tuple(splits_strings(value, device) for value in obj)
    if isinstance(obj, str):
        return list(obj)
    if hasattr(obj, "__iter__"):
        return [splits_strings(value, device) for value in obj]
    return obj


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
    "The moved tensor had lost its history: .to() alone keeps the graph, without detach() or .data.")

always_copies = mistake.edited("return obj.to(device)", "return obj.clone().to(device)",
    "A tensor that was there already was copied: .to(device) returns it as it is.")


@mistake("to_device")
def moves_models_too(obj, device):
    """A model inside the structure was moved as well, in place: only tensors move, so ask for the type, not
    for a method named `to`."""
    if isinstance(obj, dict):
        return {key: moves_models_too(value, device) for key, value in obj.items()}
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*(moves_models_too(value, device) for value in obj))
    if isinstance(obj, (list, tuple)):
        return type(obj)(moves_models_too(value, device) for value in obj)
    return obj.to(device) if hasattr(obj, "to") else obj


plain_tensors_only = mistake.edited("if isinstance(obj, torch.Tensor):", "if type(obj) is torch.Tensor:",
    "An nn.Parameter was left behind: it is a tensor too, so ask with isinstance instead of comparing types.")


@mistake("to_device")
def sorts_the_keys(obj, device):
    """The keys of a dict came back in another order: walk through the dict as it is."""
    if isinstance(obj, dict):
        return {k: sorts_the_keys(obj[k], device) for k in sorted(obj, key=str)}
    if isinstance(obj, list):
        return [sorts_the_keys(v, device) for v in obj]
    if isinstance(obj, tuple):
        moved = [sorts_the_keys(v, device) for v in obj]
        return type(obj)(*moved) if hasattr(obj, "_fields") else tuple(moved)
    return obj.to(device) if isinstance(obj, torch.Tensor) else obj


makes_tensors_of_arrays = mistake.edited(
    "if isinstance(obj, torch.Tensor):",
    """
    if isinstance(obj, np.ndarray):
        return torch.from_numpy(obj).to(device)
    if isinstance(obj, torch.Tensor):
    """,
    "A NumPy array came back as a tensor: only tensors move, an array stays what it is.")


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
