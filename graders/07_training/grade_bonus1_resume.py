"""Hidden checks for save_checkpoint and load_checkpoint."""

import contextlib
import os
import pathlib
import tempfile
import zipfile
from collections import OrderedDict

import torch
from torch import nn

from torchdojo.grading import check, mode_of, raises

CONCEPTS = ("I19",)
KEPT = {"continues_as_if_nothing_had_happened": "the task itself, worth points without a change of device"}


class oracle:
    """Every tensor on its own, in a flat dict of plain values."""

    def save_checkpoint(path, model, opt, epoch):
        numbers = {f"model/{name}": t.detach().cpu().clone() for name, t in model.state_dict().items()}
        torch.save([int(epoch), numbers, opt.state_dict(), torch.default_generator.get_state()], str(path))

    def load_checkpoint(path, model, opt):
        epoch, numbers, settings, random = torch.load(str(path), map_location="cpu", weights_only=True)
        model.load_state_dict({name.removeprefix("model/"): t for name, t in numbers.items()})
        opt.load_state_dict(settings)
        torch.default_generator.set_state(random)
        return epoch


def network(number, device, hidden=4):
    """Batch norm and dropout, with weights that depend on a number. All of its classes are PyTorch's own."""
    block = nn.Sequential(nn.BatchNorm1d(hidden), nn.Dropout(0.5), nn.Tanh())
    parts = {"first": nn.Linear(3, hidden, bias=False), "block": block, "last": nn.Linear(hidden, 1)}
    model = nn.Sequential(OrderedDict(parts))
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + number).sin().reshape(p.shape))
    return model.to(device)


def groups(parameters):
    """Two groups, the first parameter and the others, each with settings of its own."""
    first, *others = parameters
    return [{"params": [first]}, {"params": others}]


def sgd(parameters, lr=0.1):
    return torch.optim.SGD(groups(parameters), lr=lr, momentum=0.9)


def adam(parameters, lr=0.1):
    return torch.optim.Adam(groups(parameters), lr=lr)


def train(model, opt, steps):
    """A few steps on data that are drawn from the global generator of the CPU; dropout draws too."""
    device = model.last.weight.device
    losses = []
    for _ in range(steps):
        x, mask = torch.rand(6, 3), torch.rand(6, 1) > 0.3
        opt.zero_grad()
        loss = ((model(x[torch.randperm(6)].to(device)) - 1.0) ** 2 * mask.to(device)).mean()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return losses


def state(model):
    return {name: t.detach().cpu().clone() for name, t in model.state_dict().items()}


def held(opt):
    """The parameters that an optimizer holds."""
    return [p for group in opt.param_groups for p in group["params"]]


def settings(opt):
    """The settings of each group of an optimizer, and where each piece of its state is."""
    names = ("lr", "momentum", "betas", "weight_decay")
    kept = [{name: group[name] for name in names if name in group} for group in opt.param_groups]
    pieces = [opt.state[p] for p in held(opt)]
    places = [
        {k: v.device.type for k, v in state.items() if isinstance(v, torch.Tensor) and v.dim()} for state in pieces
    ]
    return {"settings": kept, "its state is on": places}


@contextlib.contextmanager
def empty_folder():
    """Within a `with` block: an empty folder is the current one, so that paths are short and the same everywhere."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def move_away(path, device):
    """Rewrite the file as if it came from a machine that has a device which is missing here."""
    tag, other = (len(name).to_bytes(4, "little") + name for name in (str(device).encode(), b"cuda:77"))
    if not zipfile.is_zipfile(path):  # the format from before PyTorch 1.6
        old = pathlib.Path(path)
        old.write_bytes(old.read_bytes().replace(tag, other))
        return
    with zipfile.ZipFile(path) as archive:
        entries = [(entry, archive.read(entry)) for entry in archive.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for entry, data in entries:
            if entry.filename.endswith("data.pkl"):
                data = data.replace(tag, other)
            archive.writestr(entry.filename, data)


class Foreign:
    """An object whose reading runs a function: it makes a folder."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return (os.mkdir, (self.folder,))


OPTIMIZERS = [adam, sgd]
ROUTES = ["stays", "from the CPU", "to the CPU", "from a missing device"]


def journey(solution, optimizer, route, device):
    """Two epochs, a save, a load by somebody else, two more epochs; and two more without a break."""
    model = network(1.7, "cpu" if route == "from the CPU" else device)
    opt = optimizer(model.parameters())
    train(model, opt, 2)
    opt.param_groups[0]["lr"] = 0.03
    opt.param_groups[1].update(lr=0.02, weight_decay=0.5)
    with empty_folder():
        path = "last.pt"
        solution.save_checkpoint(path, model, opt, 2)
        if route == "from a missing device":
            move_away(path, model.last.weight.device)
        found = {"losses in one go": train(model, opt, 2), "weights in one go": state(model)}
        solution.save_checkpoint("later.pt", model, opt, 4)
        there = network(0.3, "cpu" if route == "to the CPU" else device)
        other = optimizer(there.parameters(), lr=0.5)
        torch.rand(5)
        moved = pathlib.Path("moved.pt")
        os.rename(path, moved)
        found["finished epochs"] = solution.load_checkpoint(moved, there, other)
    found |= {"optimizer after loading": settings(other), "weights after loading": state(there)}
    return found | {"losses after loading": train(there, other, 2), "weights at the end": state(there)}


@check(points=3, optimizer=OPTIMIZERS, random=True)
def continues_as_if_nothing_had_happened(solution, optimizer, device):
    """N epochs, a save, a load and M epochs give the same as N + M epochs."""
    return {"the run": journey(solution, optimizer, "stays", device)}


@check(points=1, star=True, optimizer=OPTIMIZERS, route=ROUTES[1:], random=True, about_device=True)
def loads_on_another_device(solution, optimizer, route, device):
    """The file may come from another device, even one that this machine doesn't have."""
    return journey(solution, optimizer, route if device.type != "cpu" else "stays", device)


@check(points=3, optimizer=OPTIMIZERS, old_file=[False, True], random=True)
def saving_changes_nothing(solution, optimizer, old_file, device):
    """The file can be read safely; saving changes no model, optimizer or random state."""
    model = network(1.7, device)
    opt = optimizer(model.parameters())
    train(model, opt, 2)
    model.block.eval()
    random, before = torch.get_rng_state(), opt.state_dict()
    with empty_folder():
        path = pathlib.Path("last")
        if old_file:
            path.write_bytes(b"something old " * 10_000)
        solution.save_checkpoint(path, model, opt, 3)
        error = raises(lambda: torch.load(path, weights_only=True, map_location="cpu"), RuntimeError, ValueError)
        names = sorted(os.listdir("."))
    found = {
        "error of torch.load(weights_only=True)": error,
        "files": names,
        "random state unchanged": torch.equal(random, torch.get_rng_state()),
    }
    found |= {
        "modes": [mode_of(part) for part in model.modules()],
        "model": state(model),
        "the model is on": {name: t.device.type for name, t in model.state_dict().items()},
        "gradients": {name: p.grad for name, p in model.named_parameters()},
        "requires_grad": [p.requires_grad for p in model.parameters()],
        "optimizer": settings(opt),
    }
    return found | {"settings unchanged": before["param_groups"] == opt.state_dict()["param_groups"]}


@check(points=2, optimizer=OPTIMIZERS, training=["all", "none", "some"], epoch=[0, 41], random=True)
def fills_the_parameters_that_are_there(solution, optimizer, training, epoch, device):
    """Parameters stay the same objects on their device, and their flags stay as they are."""
    model, there = network(1.7, device), network(0.3, device)
    opt, other = optimizer(model.parameters()), optimizer(there.parameters(), lr=0.5)
    train(model, opt, 1), train(there, other, 1)
    there.train(training != "none").block.train(training == "all")
    objects = list(there.parameters())
    with empty_folder():
        solution.save_checkpoint("a file", model, opt, epoch)
        finished = solution.load_checkpoint("a file", there, other)
    found = {"finished epochs": finished, "next random number": torch.rand(()).item()}
    found |= {"same parameters in the model": [a is b for a, b in zip(objects, there.parameters(), strict=True)]}
    found |= {"same parameters in the optimizer": [a is b for a, b in zip(objects, held(other), strict=True)]}
    found |= {"modes afterwards": [mode_of(part) for part in there.modules()]}
    return found | {
        "devices": [p.device.type for p in there.parameters()],
        "optimizer": settings(other),
        "model": state(there),
    }


@check(points=2, star=True, optimizer=OPTIMIZERS)
def refuses_a_checkpoint_that_does_not_fit(solution, optimizer, device):
    """Missing or extra entries, wrong shapes, and a missing file raise errors."""
    model = network(1.7, device)
    opt = optimizer(model.parameters())
    others = {
        "another structure": nn.Sequential(network(0.3, device)),
        "a layer less": nn.ModuleDict({"first": model.first, "last": model.last}),
        "a layer more": nn.ModuleDict({**dict(network(0.3, device).named_children()), "more": nn.Linear(2, 2)}),
        "other shapes": network(0.3, device, hidden=5),
    }
    with empty_folder():
        path = "last.pt"
        solution.save_checkpoint(path, model, opt, 1)
        found = {
            name: raises(lambda other=other: solution.load_checkpoint(path, other, optimizer(other.parameters())), RuntimeError, ValueError)
            for name, other in others.items()
        }
        part = optimizer(model.last.parameters())
        found["an optimizer of a part"] = raises(lambda: solution.load_checkpoint(path, network(0.3, device), part), RuntimeError, ValueError)
        found["no file"] = raises(lambda: solution.load_checkpoint("none.pt", model, opt), RuntimeError, ValueError)
    return found


@check(points=1, star=True, devices=False)
def refuses_a_file_with_foreign_objects(solution):
    """A file that holds more than plain values is refused, unread."""
    model = network(1.7, "cpu")
    opt = sgd(model.parameters())
    with empty_folder():
        path, trace = "strange.pt", "was run"
        solution.save_checkpoint(path, model, opt, 1)
        torch.save({"model": Foreign(trace), "opt": opt.state_dict(), "epoch": 1, "rng": torch.get_rng_state()}, path)
        error = raises(lambda: solution.load_checkpoint(path, model, opt), RuntimeError, ValueError)
        return {"error": error, "its code was run": os.path.exists(trace)}
