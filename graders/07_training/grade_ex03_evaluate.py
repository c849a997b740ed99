"""Hidden checks for evaluate: both numbers, and what must not change."""

import torch
from torch import nn

from torchdojo.grading import check, mode_of, saved_tensors, tensor

CONCEPTS = ("G22", "G26", "I14")
KEPT = {"leaves_the_model_unchanged": "the task's part of it: what the model has learned; its flags are asked for by a check for the star"}


class oracle:
    """One sample after the other, on a model that was put in evaluation mode by hand."""

    def evaluate(model, loader, loss_fn):
        parts = list(model.modules())
        flags, recording = [part.training for part in parts], torch.is_grad_enabled()
        device = next(model.parameters()).device
        losses, right = [], []
        for part in parts:
            part.training = False
        torch._C._set_grad_enabled(False)
        try:
            for x, y in loader:
                scores, labels = model(x.to(device)), y.to(device).flatten()
                for row, label in zip(scores, labels, strict=True):
                    losses.append(float(loss_fn(row[None], label[None])))
                    best = max(range(len(row)), key=row.tolist().__getitem__)
                    right.append(1.0 if best == int(label) else 0.0)
        finally:
            torch._C._set_grad_enabled(recording)
            for part, flag in zip(parts, flags, strict=True):
                part.training = flag
        if not losses:
            raise ValueError("no samples")
        return sum(losses) / len(losses), sum(right) / len(right)


class Net(nn.Module):
    """Batch norm and dropout, some of them nested, with known statistics; it notes its mode in each call.

    calm: without them, so that both modes give the same."""

    def __init__(self, features, classes, like, fails=False, calm=False):
        super().__init__()
        self.first = nn.Sequential(nn.Flatten(), nn.Linear(features, 4))
        norm, drop, spread = (nn.Identity(), nn.Identity(), nn.Identity()) if calm else (nn.BatchNorm1d(4), nn.Dropout(0.5), nn.Dropout(0.25))
        self.block = nn.Sequential(norm, nn.Sequential(drop, nn.Tanh()))
        self.spread = spread
        self.last = nn.Linear(4, classes)
        with torch.no_grad():
            for k, t in enumerate([*self.parameters(), *self.buffers()]):
                if t.is_floating_point():
                    numbers = torch.arange(1, t.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin()
                    t.copy_((numbers if t.dim() > 1 else numbers.abs() + 0.25).reshape(t.shape))
        self.to(like.device, like.dtype)
        self.seen, self.fails = [], fails

    def forward(self, x):
        self.seen += [mode_of(part) for part in self.modules()]
        if self.fails:
            raise ZeroDivisionError("this model cannot do this")
        return self.last(self.spread(self.block(self.first(x))))


class Fixed(nn.Module):
    """Scores with a clear winner in each row, which are the inputs themselves."""

    def __init__(self, like):
        super().__init__()
        self.one = nn.Parameter(torch.ones((), dtype=like.dtype, device=like.device))

    def forward(self, x):
        return x * self.one


class Table(nn.Module):
    """The same scores, looked up by the number of their row."""

    def __init__(self, like):
        super().__init__()
        self.rows = nn.Embedding.from_pretrained(like.clone(), freeze=False)

    def forward(self, x):
        return self.rows(x)


class Stream:
    """A loader without a length that counts its passes, and fails at a batch if it is told to."""

    def __init__(self, batches, fails_at=None):
        self.batches, self.fails_at, self.passes = batches, fails_at, 0

    def __repr__(self):
        return "<a loader>"

    def __iter__(self):
        self.passes += 1
        if self.fails_at == "once":
            raise KeyError("there are no batches yet")
        return self.walk()

    def walk(self):
        for k, (x, y) in enumerate(self.batches):
            if k == self.fails_at:
                raise KeyError("this batch is broken")
            yield [x, y] if k % 2 else (x, y)


def confidence(scores, labels):
    """The mean of one minus the probability of the right class."""
    return (1 - scores.softmax(dim=1).gather(1, labels[:, None])).mean()


def no_loss(scores, labels):
    """Everybody is right."""
    return scores.mean() * 0.0


def broken_loss(scores, labels):
    raise LookupError("this loss is broken")


def batches(x, labels, sizes, column):
    y = labels[:, None] if column else labels
    return list(zip(x.split(sizes), y.split(sizes), strict=True))


def labels_for(x, classes):
    """Class numbers that depend on the inputs."""
    return x.detach().reshape(len(x), -1).sum(dim=1).mul(8).long() % classes


PATTERNS = {
    "all in train mode": lambda model: model.train(),
    "all in eval mode": lambda model: model.eval(),
    "a part in eval mode": lambda model: model.train().block.eval(),
    "a part in train mode": lambda model: model.eval().block[1].train(),
    "only the outermost in eval mode": lambda model: setattr(model.train(), "training", False),
}


def flags(model):
    return {name or "the model": mode_of(part) for name, part in model.named_modules()}


def outcome(function):
    """What the call returns, or its error ('ValueError' for that and its kin)."""
    try:
        return function()
    except NotImplementedError:
        raise
    except Exception as error:
        return "ValueError" if isinstance(error, ValueError) else type(error).__name__


TWO_CLASSES = torch.tensor([[3.0, 1.0], [2.0, -1.0], [0.5, 2.0], [-2.0, 1.0]])
LOSSES = [nn.functional.cross_entropy, confidence, no_loss]
SIZES = [(4, 2), (3, 3), (1, 5), (2, 1, 3), (6,), (1, 1, 1, 1, 1, 1)]


@check(points=3, x=tensor("6 2 3"), loss_fn=LOSSES, sizes=SIZES, devices=False)
def gives_both_means(solution, x, loss_fn, sizes):
    """Loss and accuracy are means over all samples, in evaluation mode."""
    return {"loss and accuracy": solution.evaluate(Net(6, 3, x), batches(x, labels_for(x, 3), sizes, False), loss_fn)}


@check(points=1, star=True, x=tensor("6 2 3"), sizes=SIZES, column=[True, False], devices=False)
def takes_a_column_of_labels(solution, x, sizes, column):
    """Labels may have the shape (batch, 1), and a loader may have no length."""
    model, loader = Net(6, 3, x, calm=True), Stream(batches(x, labels_for(x, 3), sizes, column))
    loss, accuracy = solution.evaluate(model, loader, confidence)
    found = {"loss and accuracy": [float(loss), float(accuracy)], "passes through the loader": loader.passes}
    return found | {"shapes of the labels afterwards": [tuple(y.shape) for _, y in loader.batches]}


@check(
    points=2,
    scores=tensor("batch classes", distinct=True),
    step=[1, 2],
    shift=[0.0, 4096.0],
    model=[Fixed, Table],
    minimum={"batch": 1, "classes": 2},
    devices=False,
    examples=[{"scores": TWO_CLASSES, "step": 1, "shift": 0.0, "model": Fixed}],
)
def counts_right_answers(solution, scores, step, shift, model):
    """The predicted class of a sample is the one with the largest score."""
    batch, classes = scores.shape
    scores = scores + shift
    hit = torch.arange(batch, device=scores.device) % (step + 1) > 0
    labels = torch.where(hit, scores.argmax(dim=1), scores.argmin(dim=1))
    x = scores if model is Fixed else torch.arange(batch, device=scores.device)
    _, accuracy = solution.evaluate(model(scores), batches(x, labels, batch - batch // 3, False), confidence)
    return {"accuracy": accuracy}


@check(points=2, star=True, x=tensor("6 3"), pattern=list(PATTERNS), trouble=[None, "model", "loader", "loader at once", "loss_fn", "no batch"], devices=False)
def gives_every_module_its_own_mode_back(solution, x, pattern, trouble):
    """Each training flag is restored, even after an error, and the error reaches the caller."""
    model = Net(3, 3, x, fails=trouble == "model")
    PATTERNS[pattern](model)
    parts = [] if trouble == "no batch" else batches(x, labels_for(x, 3), 3, False)
    loader = Stream(parts, fails_at={"loader": 1, "loader at once": "once"}.get(trouble))
    loss_fn = broken_loss if trouble == "loss_fn" else confidence
    with torch.set_grad_enabled(pattern != "all in eval mode"):
        result = outcome(lambda: solution.evaluate(model, loader, loss_fn))
        after = torch.is_grad_enabled()
    found = {"loss or error": result if isinstance(result, str) else float(result[0]), "mode afterwards": flags(model)}
    return found | {"gradients are recorded afterwards": after, "mode during a forward pass": "train" if "train" in model.seen else "eval"}


@check(points=3, x=tensor("3 3"), training=[True, False], wanted=[False, True], devices=False)
def records_nothing(solution, x, training, wanted):
    """No graph is built, even if x requires grad."""
    model, seen = Net(3, 3, x, calm=True).train(training), []

    def loss_fn(scores, labels):
        seen.append(scores.requires_grad)
        return confidence(scores, labels)

    with torch.enable_grad(), saved_tensors() as shapes:
        loss, _ = solution.evaluate(model, [(x.requires_grad_(wanted), labels_for(x, 3))], loss_fn)
    return {"loss": float(loss), "tensors saved for backward": len(shapes), "scores require grad": any(seen), "x.grad": x.grad}


@check(points=1, x=tensor("3 3"), training=[True, False], devices=False)
def leaves_the_model_unchanged(solution, x, training):
    """Parameters, buffers, .grad, batches and random state stay the same."""
    model = Net(3, 3, x).train(training)
    for k, p in enumerate(model.parameters()):
        p.grad = torch.full_like(p, 5.0) if k % 2 else None
    state, parts = torch.get_rng_state(), [(x, labels_for(x, 3))]
    found = {"loss": float(solution.evaluate(model, parts, confidence)[0])}
    found |= {"random state unchanged": torch.equal(state, torch.get_rng_state())}
    found |= {"batches afterwards": [[t.clone() for t in batch] for batch in parts]}
    found |= {"state": {name: t.clone() for name, t in model.state_dict().items()}}
    return found | {"old .grad": {name: p.grad for name, p in model.named_parameters()}}


@check(points=1, star=True, x=tensor("3 3"), place=["inputs", "labels", "both", "model"], about_device=True)
def brings_each_batch_to_the_model(solution, x, place, device):
    """The batches may be on a different device from the model."""
    model, labels = Net(3, 3, x, calm=True).to("cpu" if place == "model" else device), labels_for(x, 3)
    a, b = x.cpu() if place in ("inputs", "both") else x, labels.cpu() if place in ("labels", "both") else labels
    places = []
    model.register_forward_pre_hook(lambda part, args: places.append(args[0].device.type))  # of a copy of the model, too
    weight = torch.ones(3, device=model.last.weight.device, dtype=x.dtype)  # where the model is, as those of classes are
    loss, _ = solution.evaluate(model, batches(a, b, 3, False), lambda p, t: confidence(p * weight, t))
    found = {"loss": float(loss)}
    return found | {"the model saw inputs on": places, "the model is on": model.last.weight.device.type}
