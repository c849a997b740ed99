"""Hidden checks for SequencePool and sequence_loss: any device, any dtype."""

import contextlib

import torch
from torch import nn

from torchdojo.grading import Operations, check, gradients, mode_of, tensor, upstream

CONCEPTS = ("A02", "A06", "F03", "F04", "F05")


class oracle:
    """One sequence at a time; PyTorch's own loss."""

    class SequencePool(nn.Module):
        def __init__(self, features, classes):
            super().__init__()
            self.head = nn.Linear(features, classes)

        def forward(self, x, lengths):
            if x.is_meta or x.dtype in (torch.bfloat16, torch.float16) or not len(x):
                return self.head(x.sum(dim=1))  # only the form of this answer is looked at
            rows = []
            for sequence, length in zip(x, lengths.tolist(), strict=True):
                weights = [t + 1 for t in range(length)]
                rows.append(sum(w * step for w, step in zip(weights, sequence[:length], strict=True)) / sum(weights))
            return self.head(torch.stack(rows))

    def sequence_loss(model, batch):
        x, lengths, labels = (t.to(next(model.parameters()).device) for t in batch)
        return nn.CrossEntropyLoss()(model(x, lengths), labels)


class Stage(nn.Module):
    """A model of two arguments; it notes how it is called."""

    def __init__(self, features, classes):
        super().__init__()
        self.body, self.drop, self.calls = nn.Linear(features, classes), nn.Dropout(0.0), []

    def forward(self, x, lengths):
        self.calls.append({"devices": [str(x.device), str(lengths.device)], "mode": [mode_of(self), mode_of(self.drop)]})
        return self.drop(self.body(x.mean(dim=1))) * lengths.unsqueeze(1)


def filled(model, like):
    """The model with plain weights between -1 and 1, in the dtype and on the device of `like`."""
    model = model.to(like.device, like.dtype)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    return model


class Mixes(Operations):
    """Notes the operations whose tensors (beyond single numbers and indices) lie on different devices."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = str(function._overloadpacket)
        flat = [a for arg in args for a in (arg if isinstance(arg, (list, tuple)) else [arg])]
        devices = {str(a.device) for a in flat if isinstance(a, torch.Tensor) and a.dim()}
        if len(devices) > 1 and name not in ("aten._to_copy", "aten.copy_", "aten.index"):
            self.names.append(name)
        return function(*args, **(kwargs or {}))


def described(t):
    return {"shape": tuple(t.shape), "dtype": str(t.dtype), "device": str(t.device)}


def drawn_lengths():
    return tensor("batch", dtype="int64", low=1, high="steps+1")


def on_equal_steps(solution, x):
    """The scores of sequences of two equal steps, on the CPU in float32: whatever weights the steps have, the mean is the step."""
    x = x.detach().cpu().float()[:, :1].repeat(1, 2, 1)
    return filled(solution.SequencePool(x.shape[2], 3), x)(x, torch.full((len(x),), 2, device="cpu")).detach()


LABELS = tensor("batch", dtype="int64", low=0, high="classes")
AT_LEAST = {"steps": 1, "features": 1, "classes": 1}


@contextlib.contextmanager
def noting_other_devices(device):
    """A list of devices, other than this one, where something lies that is kept for backward."""
    others = []

    def keep(t):
        others.extend({str(t.device)} - {str(device)} if t.dim() else ())
        return t

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda t: t):
        yield others


@check(
    points=3, x=tensor("batch steps features"), lengths=drawn_lengths(), classes=[2, 1, 3], minimum={"batch": 1} | AT_LEAST,
)  # fmt: skip
def averages_the_valid_steps(solution, x, lengths, classes, rng):
    """Scores and gradients are right."""
    model = filled(solution.SequencePool(x.shape[2], classes), x)
    with noting_other_devices(x.device) as others:
        scores = model(x.requires_grad_(), lengths)
    found = gradients(scores, [x, *model.parameters()], upstream(scores, rng))
    keys = list(model.state_dict())
    return {"keys of the state_dict": keys, "scores": scores, "gradients of x and the head": found, "other devices used": others}


@check(points=1, star=True, shape=[(2, 256, 1), (0, 3, 2)])
def takes_long_sequences_and_empty_batches(solution, shape, device):
    """Sequences of 256 steps and an empty batch get the right scores."""
    x = torch.arange(512, dtype=torch.float64, device=device).remainder(7).reshape(2, 256, 1)[: shape[0], : shape[1]].expand(shape)
    lengths = torch.tensor([256, 255], device=device)[: len(x)]
    return filled(solution.SequencePool(x.shape[2], 2), x)(x, lengths).detach()


@check(
    points=1, x=tensor("batch steps features"), lengths=drawn_lengths(),
    dtype=[torch.bfloat16, torch.float16], minimum=AT_LEAST, beside=True,
)  # fmt: skip
def keeps_a_short_dtype(solution, x, lengths, dtype):
    """bfloat16 and float16 models give scores of their own dtype."""
    model = filled(solution.SequencePool(x.shape[2], 3), x.to(dtype))
    scores = model(x.to(dtype), lengths)
    return on_equal_steps(solution, x), {"scores": described(scores), "graph": scores.requires_grad}


@check(
    points=2, x=tensor("batch steps features", layouts=False), lengths=drawn_lengths(), minimum=AT_LEAST, devices=False, beside=True,
)  # fmt: skip
def runs_on_another_device(solution, x, lengths):
    """The model works on the device "meta", and nothing is left on the CPU."""
    model = solution.SequencePool(x.shape[2], 3).to("meta", x.dtype)
    with Mixes() as mixed:
        scores = model(x.to("meta"), lengths.to("meta"))
    return on_equal_steps(solution, x), {"scores": described(scores), "operations that mix devices": mixed.names}


@check(
    points=2, x=tensor("batch steps features"), lengths=drawn_lengths(), labels=LABELS, kind=[tuple, list], mode=[True, False], minimum=1,
)  # fmt: skip
def loss_of_any_batch(solution, x, lengths, labels, kind, mode, rng):
    """The loss and its gradients are right, and the model keeps its mode."""
    model = filled(Stage(x.shape[2], int(labels.max()) + 1), x).train(mode)
    model.drop.eval()
    batch = kind((x, lengths, labels))  # all where the model is: what is not there is tested by another check
    given = list(batch)
    loss = solution.sequence_loss(model, batch)
    return {
        "loss": loss,
        "gradients": gradients(loss, list(model.parameters()), upstream(loss, rng)),
        "calls of the model": model.calls,
        "mode afterwards": [mode_of(model), mode_of(model.drop)],
        "the batch is as it was": all(a is b for a, b in zip(batch, given, strict=True)),
        ".grad": [p.grad for p in model.parameters()],
    }


@check(
    points=2, x=tensor("batch steps features", layouts=False), lengths=drawn_lengths(), labels=LABELS,
    moved=["", "labels", "x lengths", "x", "x lengths labels"], minimum=1, devices=False, beside=True,
)  # fmt: skip
def brings_the_batch_to_the_model(solution, x, lengths, labels, moved):
    """All three tensors go to the model's device, and the model stays there."""
    model = Stage(x.shape[2], int(labels.max()) + 1).to("meta", x.dtype)
    parts = {"x": x, "lengths": lengths, "labels": labels}
    batch = [t.to("meta") if n in moved.split() else t for n, t in parts.items()]
    given = tuple(batch)
    with Mixes() as mixed:
        loss = solution.sequence_loss(model, batch)
    plain = solution.sequence_loss(filled(Stage(x.shape[2], int(labels.max()) + 1), x), (x, lengths, labels)).detach()
    return plain, {
        "loss": described(loss),
        "what the model was given": model.calls,
        "device of the model": [str(p.device) for p in model.parameters()],
        "the batch is as it was": all(a is b for a, b in zip(batch, given, strict=True)),
        "operations that mix devices": mixed.names,
    }
