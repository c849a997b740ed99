"""Hidden checks for train_with_running_mean: numbers in the log, and graphs that end with their step."""

import contextlib
import gc
import weakref

import torch
from torch import nn

from torchdojo.grading import check, mode_of, raises, tensor

CONCEPTS = ("A02", "A06", "G15", "G28", "H05")


class oracle:
    """One step at a time; the mean is taken afresh from all losses so far."""

    def train_with_running_mean(model, batches, loss_fn, opt):
        losses, history = [], []
        for inputs, targets in batches:
            loss = loss_fn(model(inputs), targets)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
            history.append(sum(losses) / len(losses))
            del loss
        return history


def network(like):
    """Two layers with plain weights between -1 and 1, in the dtype and on the device of `like`."""
    model = nn.Sequential(nn.Linear(like.shape[1], 3), nn.Tanh(), nn.Linear(3, 1)).to(like.device, like.dtype)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    return model


def weights(model):
    return {name: p.detach().clone() for name, p in model.named_parameters()}


def in_batches(x, y):
    """A generator of batches of 1, 2, 1 and 3 samples, and the rest."""
    start = 0
    for size in (1, 2, 1, 3, 9):
        if start < len(x):
            yield x[start : start + size], y[start : start + size]
        start += size


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.1)


def momentum(parameters):
    return torch.optim.SGD(parameters, lr=0.05, momentum=0.9)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=0.05)


OPTIMIZERS = [sgd, momentum, adam]


def beginning(history):
    """How many means there are, and the first one as a float: the others, and which type they have, are asked elsewhere."""
    return len(history), [float(mean) for mean in history[:1]]


@contextlib.contextmanager
def light_collections():
    """Makes gc.collect() cheap inside: a program that calls it in each step is slow otherwise."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


class Mark:
    """Something that a weakref can point to."""


class Box:
    """Holds a tensor that autograd saved, for as long as autograd holds the box."""

    def __init__(self, value):
        self.value = value


def nodes_of(loss):
    """Every node of a graph that was made in this forward pass."""
    found, open_nodes = [], [loss.grad_fn]
    while open_nodes:
        node = open_nodes.pop()
        if node is not None and not hasattr(node, "variable") and node not in found:
            found.append(node)
            open_nodes += [parent for parent, _ in node.next_functions]
    return found


class Ledger:
    """Which losses, predictions and graphs are still alive, batch by batch."""

    def __init__(self):
        self.kinds = {"graphs": [], "losses": [], "predictions": []}

    def loss(self, prediction, target):
        loss = nn.functional.mse_loss(prediction, target)
        marks = []
        for node in nodes_of(loss):
            node.metadata["mark"] = mark = Mark()
            marks.append(weakref.ref(mark))
        self.kinds["graphs"].append(marks)
        self.kinds["losses"].append([weakref.ref(loss)])
        self.kinds["predictions"].append([weakref.ref(prediction)])
        return loss

    def alive(self, count):
        """How much of the first `count` batches is still in memory."""
        return {
            kind: sum(any(reference() is not None for reference in references) for references in born[: max(count, 0)])
            for kind, born in self.kinds.items()
        }


@check(points=3, x=tensor("samples features"), y=tensor("samples 1"), optimizer=OPTIMIZERS, minimum={"features": 1})
def means_and_weights_are_right(solution, x, y, optimizer):
    """The running means and the weights match one step per batch, with gradients cleared before each."""
    model = network(x)
    opt = optimizer(model.parameters())
    with light_collections():
        history = solution.train_with_running_mean(model, in_batches(x, y), nn.functional.mse_loss, opt)
    return {"running means": history, "weights afterwards": weights(model)}


@check(points=1, star=True, x=tensor("batch features"), large=[2.0**24, 2.0**25], minimum=1, dtypes=("float32",))
def small_losses_count_beside_large_ones(solution, x, large):
    """A loss of 1 between two large ones that cancel is not lost in the sum."""
    model = network(x)
    batches = [(x, torch.full((), value, device=x.device)) for value in (large, 1.0, -large, 2.0)]
    with light_collections():
        return solution.train_with_running_mean(model, batches, lambda out, y: (0 * out).sum() + y, sgd(model.parameters()))


@check(
    points=1, star=True, x=tensor("samples features"), y=tensor("samples 1"), optimizer=OPTIMIZERS, train=[True, False],
    losses=["numbers", "nan"], minimum=1, beside=True,
)  # fmt: skip
def takes_one_batch_at_a_time(solution, x, y, optimizer, train, losses):
    """Each batch has its loss and its step before the next batch is taken."""
    model, events = network(x).train(train), []
    opt = optimizer(model.parameters())
    opt.register_step_post_hook(lambda *_: events.append("step"))

    def loss_fn(prediction, target):
        events.append("loss")
        return nn.functional.l1_loss(prediction, target) * (torch.nan if losses == "nan" else 1)

    def batches():
        for batch in in_batches(x, y):
            events.append("batch")
            yield batch

    with light_collections():
        history = solution.train_with_running_mean(model, batches(), loss_fn, opt)
    settings = {name: value for name, value in opt.param_groups[0].items() if name != "params"}
    facts = {"events in order": ", ".join(events), "settings of opt": settings, "mode afterwards": mode_of(model)}
    return beginning(history), facts


@check(points=3, x=tensor("batch features"), y=tensor("batch 1"), batches=[6, 3, 4], minimum=1, beside=True)
def graphs_do_not_pile_up(solution, x, y, batches):
    """The loss and graph of a batch are freed two batches later."""
    model, ledger, seen = network(x), Ledger(), []

    def asked():
        for number in range(batches):
            seen.append(ledger.alive(number - 1))
            yield x, y

    gc.disable()
    try:
        with light_collections():
            history = beginning(solution.train_with_running_mean(model, asked(), ledger.loss, sgd(model.parameters())))
        seen.append(ledger.alive(batches))
    finally:
        gc.enable()
    when_asked = {f"older {kind} in memory when a batch is requested": [found[kind] for found in seen[:-1]] for kind in seen[0]}
    return history, {**when_asked, **{f"{kind} in memory afterwards": count for kind, count in seen[-1].items()}}


@check(points=2, x=tensor("batch features"), y=tensor("batch 1"), optimizer=OPTIMIZERS, minimum=1, beside=True)
def backward_releases_what_was_saved(solution, x, y, optimizer):
    """Tensors that forward saved are freed before the step."""
    model, boxes, left, losses = network(x), [], [], []
    opt = optimizer(model.parameters())
    opt.register_step_pre_hook(lambda *_: left.append(sum(box() is not None for box in boxes)))

    def pack(t):
        box = Box(t)
        boxes.append(weakref.ref(box))
        return box

    def loss_fn(prediction, target):
        losses.append((prediction - target).square().mean())
        return losses[-1]

    with light_collections(), torch.autograd.graph.saved_tensors_hooks(pack, lambda box: box.value):
        history = solution.train_with_running_mean(model, [(x, y)] * 3, loss_fn, opt)
    facts = {"saved tensors left at each step": left, "a second backward": [raises(loss.backward) for loss in losses]}
    return beginning(history), facts
