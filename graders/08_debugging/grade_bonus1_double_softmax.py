"""Hidden checks for SmallClassifier, labels_loss and class_probabilities: logits, and one softmax."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, mode_of, tensor, upstream

CONCEPTS = ("A02", "A06", "B13")

KEPT = {"probabilities_of_each_row": "the task alone: probabilities_of_large_logits refuses the same and is for the star"}


class oracle:
    """Two matrix products; the loss sample by sample, the largest logit taken away first."""

    class SmallClassifier(nn.Module):
        def __init__(self, features, hidden, classes):
            super().__init__()
            self.fc1, self.fc2 = nn.Linear(features, hidden), nn.Linear(hidden, classes)

        def forward(self, x):
            return nn.functional.relu(x @ self.fc1.weight.T + self.fc1.bias) @ self.fc2.weight.T + self.fc2.bias

    def labels_loss(model, x, labels):
        losses = []
        for logits, label in zip(model(x), labels.tolist(), strict=True):
            losses.append(torch.logsumexp(logits, 0) - logits[int(label)])
        return sum(losses) / len(losses)

    def class_probabilities(model, x):
        logits = model(x)
        weights = torch.exp(logits - logits.amax(dim=1, keepdim=True))
        return weights / weights.sum(dim=1, keepdim=True)


def fill(model, like):
    """Plain weights between -1 and 1 in the model, in the dtype and on the device of `like`; no unit is exactly at 0."""
    model.to(like.device, like.dtype)
    with torch.no_grad():
        for k, (_, p) in enumerate(sorted(model.named_parameters())):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    return model


class Logits(nn.Module):
    """A model whose logits are its input times its one weight; it notes in which mode it is called."""

    def __init__(self, like, train):
        super().__init__()
        self.weight = nn.Parameter(torch.ones((), dtype=like.dtype, device=like.device))
        self.calls = []
        self.train(train)

    def forward(self, x):
        self.calls.append(mode_of(self))
        return x * self.weight


DTYPES = ["int64", "float32", "uint8", "float64", "int32", "int16", "int8", "float16", "bfloat16"]
LABELS = tensor("batch", dtype="int64", low=0, high="classes")


@check(points=2, x=tensor("batch features"), hidden=[3, 1, 4], classes=[2, 3, 1], minimum={"features": 1})
def forward_gives_logits(solution, x, hidden, classes, rng):
    """Logits and their gradients match a linear layer, ReLU and a linear layer."""
    model = fill(solution.SmallClassifier(x.shape[1], hidden, classes), x)
    x.requires_grad_()
    logits = model(x)
    names = [name for name, _ in model.named_parameters()]
    found = gradients(logits, [x, *model.parameters()], upstream(logits, rng))
    seen = {"logits": logits, "keys": sorted(model.state_dict()), "gradients": dict(zip(["x", *names], found, strict=True))}
    return seen | {"logits in eval mode": model.eval()(x)}


MANY_CLASSES = {"logits": torch.zeros(2, 300), "labels": torch.tensor([299, 3]), "dtype": "int64"}


@check(
    points=3, logits=tensor("batch classes"), labels=LABELS, dtype=DTYPES, minimum=1,
    examples=[MANY_CLASSES, MANY_CLASSES | {"dtype": "float32"}],
)  # fmt: skip
def loss_for_labels_of_any_dtype(solution, logits, labels, dtype, rng):
    """The loss and its gradient are right, whatever the dtype of the labels is."""
    model, given = Logits(logits, True), labels.to(getattr(torch, dtype))
    loss = solution.labels_loss(model, logits.requires_grad_(), given)
    found = gradients(loss, [logits, model.weight], upstream(loss, rng))
    return {"loss": loss, "gradient of the logits": found[0], "labels afterwards": given.clone()}


# float64, because at 10000 float32 has too few digits for some right ways: logits - logsumexp was 2e-4 off.
@check(points=1, star=True, logits=tensor("batch classes"), labels=LABELS, scale=[2500, 250, -2500], minimum=1, dtypes=("float64",))
def loss_of_large_logits(solution, logits, labels, scale, rng):
    """Logits of thousands give a finite loss and finite gradients."""
    logits = (logits * scale).detach().requires_grad_()
    loss = solution.labels_loss(Logits(logits, True), logits, labels)
    return {"loss": loss, "gradient of the logits": gradients(loss, [logits], upstream(loss, rng))[0]}


@check(points=2, logits=tensor("batch classes"), minimum={"classes": 1})
def probabilities_of_each_row(solution, logits):
    """Each row of probabilities is right."""
    return solution.class_probabilities(Logits(logits, False), logits)


@check(points=1, star=True, logits=tensor("batch classes"), scale=[2500, -2500], minimum={"classes": 1}, dtypes=("float64",))
def probabilities_of_large_logits(solution, logits, scale):
    """Logits of thousands give probabilities, not nan."""
    logits = logits * scale
    return solution.class_probabilities(Logits(logits, False), logits)


@check(points=1, star=True, logits=tensor("batch classes"), labels=LABELS, train=[True, False], minimum=1)
def calls_the_model_once(solution, logits, labels, train):
    """The model is called once, in its current mode."""
    one, other = Logits(logits, train), Logits(logits, train)
    solution.labels_loss(one, logits, labels)
    solution.class_probabilities(other, logits)
    after = {"mode afterwards": [mode_of(one), mode_of(other)]}
    return {"calls by labels_loss": one.calls, "calls by class_probabilities": other.calls, **after}
