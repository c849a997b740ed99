"""Hidden checks for snapshot and restore_."""

import torch
from torch import nn

from torchdojo.grading import check, mode_of, raises

CONCEPTS = ("I04", "I19")

KEPT = {
    "restoring_brings_the_values_back": "what restore_ is for, worth points of its own",
    "both_work_together_without_grad_mode": "the two functions as they are used, one after the other",
}


class oracle:
    """Clones of the state, and copies into it."""

    def snapshot(module):
        return {name: t.detach().to("cpu", copy=True) for name, t in module.state_dict().items()}

    def restore_(module, saved):
        state = module.state_dict()
        if set(state) != set(saved) or any(state[name].shape != saved[name].shape for name in state):
            raise RuntimeError("other names or shapes")
        with torch.no_grad():
            for name, t in state.items():
                t.copy_(saved[name])


def model(kind, device):
    """A small model with weights that depend on their places only."""
    layers = {
        "plain": lambda: nn.Sequential(nn.Linear(3, 2), nn.ReLU(), nn.Linear(2, 1)),
        "batch norm": lambda: nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2), nn.Linear(2, 1)),
        "frozen": lambda: nn.Sequential(nn.Linear(3, 2).requires_grad_(False), nn.Linear(2, 1)),
        "tied": lambda: tied(nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 1))),
        "double": lambda: nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1)).double(),
        "bfloat16": lambda: nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1)).bfloat16(),
    }
    made = layers[kind]()
    with torch.no_grad():
        for k, p in enumerate(made.parameters()):
            p.copy_(((torch.arange(p.numel()) * 3 + k) % 7 - 3).reshape(p.shape) / 4)
    if kind == "batch norm":
        made.register_buffer("scratch", torch.ones(2), persistent=False)
        made.register_buffer("nothing", torch.ones(0, 3))
    return made.to(device)


def tied(m):
    m[1].weight = m[0].weight
    return m


def train(m, steps=2):
    """A few steps that change every weight and buffer."""
    dtype = next(m.parameters()).dtype
    device = next(m.parameters()).device
    learning = [p for p in m.parameters() if p.requires_grad]
    if not learning:  # the solution has frozen them all
        return m
    optimizer = torch.optim.SGD(learning, lr=0.1, momentum=0.9)
    x = torch.tensor([[1.0, -2.0, 0.5], [0.0, 1.0, 3.0], [2.0, 2.0, -1.0]], dtype=dtype, device=device)
    for _ in range(steps):
        optimizer.zero_grad()
        (m(x) ** 2).sum().backward()
        optimizer.step()
    return m


def change(m):
    """A few steps, and then everything that is saved changes in place, what is frozen too."""
    train(m)
    with torch.no_grad():
        for t in m.state_dict().values():
            t.add_(1)


KINDS = ["plain", "batch norm", "frozen", "tied", "double"]


def bare(state):
    return {name: t for name, t in sorted(state.items())}


@check(points=2, kind=[*KINDS, "bfloat16"])
def a_snapshot_does_not_change_with_the_model(solution, kind, device):
    """The copy keeps its values while the model trains, and is on the CPU."""
    m = model(kind, device)
    train(m, 1)
    saved = solution.snapshot(m)
    if not isinstance(saved, dict):
        return saved
    before = {name: t.clone() for name, t in saved.items()}
    change(m)
    tensors = [t for _, t in sorted(saved.items())]
    facts = {"requires grad": [t.requires_grad for t in tensors], "device": [t.device.type for t in tensors], "dtype": [t.dtype for t in tensors]}
    return {"names": sorted(saved), **facts, "copy": bare(before), "copy after training": bare(saved)}


@check(points=1, kind=KINDS)
def taking_a_snapshot_changes_nothing(solution, kind, device):
    """The model keeps its weights, gradients and device."""
    m = train(model(kind, device), 1).train(kind != "frozen")
    state = {name: t.clone() for name, t in m.state_dict().items()}
    before, memory = [*m.parameters(), *m.buffers()], [t.data_ptr() for t in (*m.parameters(), *m.buffers())]
    saved = solution.snapshot(m)
    now = [*m.parameters(), *m.buffers()]
    grads = [None if p.grad is None else p.grad.clone() for p in m.parameters()]
    same = all(torch.equal(t.cpu(), state[name].cpu()) for name, t in m.state_dict().items())
    facts = {
        "the same tensors": [a is b for a, b in zip(before, now, strict=True)], "the same memory": [t.data_ptr() == a for t, a in zip(now, memory, strict=True)],
        "modes of its modules": [mode_of(p) for p in m.modules()], "requires_grad": [p.requires_grad for p in now],
    }  # fmt: skip
    last = [name for name, _ in m.named_parameters()][-1]
    facts["the copy of the last parameter"] = saved[last].clone().cpu().float() if last in saved else None
    return {"unchanged": same, **facts, "devices": sorted({p.device.type for p in m.parameters()}), "old gradients": grads}


@check(points=2, kind=KINDS)
def restoring_brings_the_values_back(solution, kind, device):
    """The saved values can be restored after training, any number of times."""
    m = train(model(kind, device), 1)
    saved = {name: t.detach().cpu().clone() for name, t in reversed(list(m.state_dict().items()))}
    kept = {name: t.clone() for name, t in saved.items()}
    change(m)
    answer = solution.restore_(m, saved)
    once = {name: t.detach().clone() for name, t in sorted(m.state_dict().items())}
    train(m)
    unchanged = saved.keys() == kept.keys() and all(torch.equal(saved[name], kept[name]) for name in kept)
    solution.restore_(m, saved if unchanged else dict(kept))
    return {"once": once, "copy unchanged": unchanged, "twice": bare(m.state_dict()), "returned": answer}


@check(points=2, kind=KINDS, recording=[True, False])
def tensors_stay_the_same_objects(solution, kind, recording, device):
    """Parameters and buffers stay the same tensors, so an existing optimizer still works."""
    m = train(model(kind, device), 1).train(kind != "frozen")
    saved = {name: t.detach().cpu().clone() for name, t in m.state_dict().items()}
    def tensors():
        return [*dict(m.named_parameters(remove_duplicate=False)).values(), *m.buffers()]

    before, memory = tensors(), [t.data_ptr() for t in tensors()]
    old = [None if p.grad is None else p.grad.clone() for p in m.parameters()]
    train(m)
    for p, g in zip(m.parameters(), old, strict=True):
        p.grad = g
    with torch.set_grad_enabled(recording):
        solution.restore_(m, saved)
    seen = {
        "the same tensors": [a is b for a, b in zip(before, tensors(), strict=True)],
        "the same memory": [a == t.data_ptr() for a, t in zip(memory, tensors(), strict=True)],
        "requires_grad": [t.requires_grad for t in tensors()],
        "is_leaf": [t.is_leaf for t in tensors()],
        "device": [t.device.type for t in tensors()],
        "modes of its modules": [mode_of(p) for p in m.modules()],
        "old gradients": [p.grad for p in m.parameters()],
    }
    return seen | {"after one more step": bare(train(m, 1).state_dict())}


def spoilt(state, how):
    """A state with one thing wrong."""
    state = {name: t.clone() for name, t in state.items()}
    first = next(iter(state))
    if how == "missing":
        del state[first]
    elif how == "empty":
        state.clear()
    elif how == "extra":
        state["more"] = torch.zeros(2)
    elif how == "renamed":
        state["other.weight"] = state.pop(first)
    elif how == "broadcastable":
        state[first] = state[first][:, :1]
    elif how == "transposed":
        state[first] = state[first].T.contiguous()
    return state


@check(points=2, star=True, how=["missing", "empty", "extra", "renamed", "broadcastable", "transposed", "right"])
def other_names_and_shapes_are_refused(solution, how, device):
    """A missing or extra name, or a wrong shape, raises RuntimeError."""
    m = model("plain", device)
    saved = spoilt({name: t.detach().cpu() for name, t in m.state_dict().items()}, how)
    right = {name: t.detach().cpu().clone() for name, t in m.state_dict().items()}
    change(m)
    raised = raises(lambda: solution.restore_(m, saved))
    solution.restore_(m, right)
    return {"raised": raised, "restored from a right copy": {name: t.detach().cpu() for name, t in bare(m.state_dict()).items()}}


@check(points=1, star=True, kind=["plain", "batch norm"])
def both_work_together_without_grad_mode(solution, kind, device):
    """A snapshot restores another model with the same layers, even under no_grad."""
    one, two = train(model(kind, device)), model(kind, device)
    with torch.no_grad():
        solution.restore_(two, solution.snapshot(one))
        after = torch.is_grad_enabled()
    return bare(two.state_dict()) | {"grad mode afterwards": after}
