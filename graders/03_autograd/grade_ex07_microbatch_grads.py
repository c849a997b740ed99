"""Hidden checks for microbatch_grads."""

import weakref

import torch
from torch import nn

from torchdojo.grading import check, mode_of, raises, tensor

CONCEPTS = ("G12",)
KEPT = {
    "equals_the_gradient_of_the_full_batch": "the point of the exercise",
}

ROWS = {"batch": 1, "...": 1}


class oracle:
    """The full batch's gradient for .grad; the events that the rules ask for, played one by one."""

    def microbatch_grads(model, loss_fn, X, Y, sizes):
        if sum(sizes) != len(X) or any(size < 1 for size in sizes) or not sizes:
            raise ValueError("sizes do not fit")
        params = [p for p in model.parameters() if p.requires_grad]
        model.zero_grad()
        start = 0
        for size in sizes:
            loss_fn(model(X[start : start + size]), Y[start : start + size]).backward()
            start += size
        if hasattr(model, "events"):
            return
        full = torch.autograd.grad(loss_fn(model(X), Y), params, allow_unused=True)
        for p, grad in zip(params, full, strict=True):
            p.grad = grad


class Scorer(nn.Module):
    """Each row's squared projections. One part is frozen, another one is never used, the bias has two uses, and names in two modules."""

    def __init__(self, X, outputs=2):
        super().__init__()
        features, kind = X[0].numel(), {"dtype": X.dtype, "device": X.device}
        numbers = torch.arange(features * outputs, **kind).view(features, outputs)
        self.weight = nn.Parameter((numbers % 5 - 2) / 4)
        self.unused = nn.Parameter(torch.ones(2, **kind))  # in the middle: a loop may leave out the first or the last
        self.bias = nn.Parameter(torch.tensor([0.5, -0.25, 1.0][:outputs], **kind))
        self.shift = self.bias
        self.owner = nn.Module()
        self.owner.bias = self.bias  # the same parameter in a second module
        self.frozen = nn.Parameter(torch.full((outputs,), 1.5, **kind), requires_grad=False)

    def forward(self, x):
        return self.frozen * (x.reshape(len(x), -1) @ self.weight + self.bias) ** 2 + self.shift


class Watched(Scorer):
    """Notes when it is called, on which rows, and when a backward pass goes through its output."""

    def __init__(self, X):
        super().__init__(X)
        self.events, self.rows, self.left_over = [], [], []
        self.saved = weakref.WeakSet()

    def forward(self, x):
        self.left_over.append(len(self.saved) > 0)
        numbers = [number.item() for number in x.reshape(-1)]  # plain numbers: what torch.func hands over is dead afterwards
        self.rows.append({"shape": tuple(x.shape), "numbers": numbers})
        number = len(self.rows)
        self.events.append(f"forward {number}")
        output = super().forward(x)
        output.register_hook(lambda gradient: self.backward_passed(number))
        return output

    def backward_passed(self, number):
        if self.events[-1:] != [f"backward {number}"]:
            self.events.append(f"backward {number}")


class Kept:
    """What stands in for a saved tensor, so that one can see whether it is still there."""

    def __init__(self, t):
        self.t = t


def squared_error(prediction, target):
    return ((prediction - target) ** 2).sum(dim=-1).mean()


def weighted_sum(prediction, target):
    return (prediction * (target + 5)).sum(dim=-1).mean() + target.mean()


def cross_entropy(prediction, target):
    return nn.functional.cross_entropy(prediction, target)


def one_row_each(n):
    return [1] * n


def everything(n):
    return [n]


def growing(n):
    sizes = []
    while sum(sizes) < n:
        sizes.append(min(len(sizes) + 1, n - sum(sizes)))
    return sizes


def large_first(n):
    return [n - n // 3, n // 3] if n // 3 else [n]


def in_threes(n):
    return [3] * (n // 3) + [n % 3] * (n % 3 > 0)


def grads(model):
    """The .grad of what can learn, None as zeros. The frozen part's is not looked at, whatever has become of it."""
    return {
        f"{name}.grad": torch.zeros_like(p).detach() if p.grad is None else p.grad.detach().clone()
        for name, p in model.named_parameters()
        if name != "frozen"
    }


def leave_old_gradients(model, value=100.0):
    for p in model.parameters():
        p.grad = torch.full_like(p, value) if p.requires_grad else None


CUTS = [large_first, growing, in_threes, one_row_each, everything]


@check(
    points=4,
    X=tensor("batch ..."),
    Y=tensor("batch 2"),
    cut=CUTS,
    loss_fn=[squared_error, weighted_sum],
    minimum=ROWS,
    dtypes=("float64",),
)
def equals_the_gradient_of_the_full_batch(solution, X, Y, cut, loss_fn):
    """The gradients match the full batch's, however the batch is cut."""
    model = Scorer(X)
    solution.microbatch_grads(model, loss_fn, X, Y, cut(len(X)))
    return grads(model)


@check(
    points=1,
    X=tensor("batch features"),
    Y=tensor("batch", dtype="int64", low=0, high=2),
    cut=[large_first, growing],
    minimum=1,
    dtypes=("float32",),
    tolerance=(1e-4, 1e-4),  # float32 sums of up to 8 rows in another order: up to 3e-5 for gradients of about 100
)
def takes_class_labels_and_float32(solution, X, Y, cut):
    """Targets may be class labels, and the model float32."""
    model = Scorer(X, outputs=3)
    solution.microbatch_grads(model, cross_entropy, X, Y, cut(len(X)))
    return grads(model)


@check(points=1, X=tensor("batch 3"), Y=tensor("batch 2"), minimum=1, dtypes=("float64",))
def old_gradients_are_gone(solution, X, Y):
    """Old gradients in .grad do not matter, and a second call is right, too."""
    model, sizes = Scorer(X), [len(X)]
    leave_old_gradients(model)
    solution.microbatch_grads(model, squared_error, X, Y, sizes)
    first, kept = grads(model), sizes == [len(X)]
    solution.microbatch_grads(model, squared_error, X, Y, [len(X)])
    return {"after one call": first, "after a second call": grads(model), "sizes unchanged": kept}


@check(points=2, X=tensor("7 3 1"), Y=tensor("7 2"), cut=CUTS, dtypes=("float64",))
def one_graph_at_a_time(solution, X, Y, cut):
    """Each microbatch goes forward and backward before the next one starts."""
    model = Watched(X)

    def keep(t):
        kept = Kept(t)
        model.saved.add(kept)
        return kept

    try:
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda kept: kept.t):
            solution.microbatch_grads(model, squared_error, X, Y, cut(len(X)))
    except RuntimeError as error:
        if "saved tensor hooks" not in str(error):
            raise
        model = Watched(X)  # torch.func takes no such hooks, and gives every graph back by itself
        solution.microbatch_grads(model, squared_error, X, Y, cut(len(X)))
    found = {"order of events": ", ".join(model.events), "rows passed to the model": model.rows}
    return found | {"something still saved when a microbatch starts": model.left_over}


@check(points=1, star=True, X=tensor("batch 3"), Y=tensor("batch 2"), minimum=2, dtypes=("float64",))
def refuses_sizes_that_do_not_fit(solution, X, Y):
    """Wrong sizes raise ValueError before anything has happened."""
    n, model, found = len(X), None, {}
    for sizes in ([1] * (n - 1), [n, 1], [n, 0], [0, n], [n + 1, -1], [-1, n + 1], [n - 1], [2 * n], []):
        if model is None:  # the first, or something has happened to the last
            model = Watched(X)
            leave_old_gradients(model)
            before = [p.grad for p in model.parameters()]
        error = raises(lambda: solution.microbatch_grads(model, squared_error, X, Y, sizes), ValueError)  # noqa: B023
        kept = all(p.grad is old for p, old in zip(model.parameters(), before, strict=True))
        intact = kept and all(bool((p == 100.0).all()) for p in before if p is not None)
        found[f"sizes {sizes}"] = {"error": error, "model calls": len(model.rows), "old .grad intact": intact}
        if model.rows or not intact:
            model = None
    fits = raises(lambda: solution.microbatch_grads(Scorer(X), squared_error, X, Y, [1] * n), ValueError)
    return found | {"sizes that fit": fits}


@check(points=1, star=True, X=tensor("batch 3"), Y=tensor("batch 2"), training=[True, False], minimum=2, dtypes=("float64",))
def changes_nothing_but_grad(solution, X, Y, training):
    """Parameters, requires_grad and the model's mode do not change."""
    model = Scorer(X).train(training)
    solution.microbatch_grads(model, squared_error, X, Y, [len(X)])
    found = {name: p.detach() for name, p in model.named_parameters()} | grads(model)
    flags = {name: p.requires_grad for name, p in model.named_parameters()}
    return {"parameters": found, "requires_grad": flags, "mode": mode_of(model)}
