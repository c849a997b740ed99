"""Hidden checks for TwoStageScorer and penalised_loss: a graph from the loss back to every parameter."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("A02", "A06", "G20", "G28")


class oracle:
    """PyTorch's layers in a row, and its own loss."""

    class TwoStageScorer(nn.Module):
        def __init__(self, features, hidden):
            super().__init__()
            self.encoder, self.head = nn.Linear(features, hidden), nn.Linear(hidden, 1)

        def forward(self, x):
            return nn.Sequential(self.encoder, nn.Tanh(), self.head)(x)

    def penalised_loss(model, x, y, strength):
        loss = nn.functional.mse_loss(model(x), y)
        for parameter in model.parameters():
            loss = loss + strength * torch.linalg.vecdot(parameter.reshape(-1), parameter.reshape(-1))
        return loss


def filled(model, like):
    """The model with plain weights between -1 and 1, in the dtype and on the device of `like`."""
    model = model.to(like.device, like.dtype)
    with torch.no_grad():
        for k, (_, p) in enumerate(sorted(model.named_parameters())):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    return model


class Moody(nn.Tanh):
    """Tanh times a single number to be learnt; in train mode twice as large."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return super().forward(x) * self.scale * (2.0 if self.training else 1.0)


def line(n):
    return nn.Linear(n, n)


def deep(n):
    inner = nn.Sequential(nn.Linear(2, 2), Moody())
    return nn.Sequential(nn.Linear(n, 2), inner, nn.Linear(2, 3, bias=False), nn.BatchNorm1d(3).eval(), nn.Linear(3, n))


def half_frozen(n):
    model = deep(n)
    model[0].weight.requires_grad_(False)
    model[4].bias.requires_grad_(False)
    return model


def tied(n):
    model = nn.Sequential(nn.Linear(n, n), nn.Tanh(), nn.Linear(n, n))
    model[2].weight = model[0].weight
    return model


def nothing_to_learn(n):
    return nn.Identity()


MODELS = [line, deep]
SPECIAL = [half_frozen, nothing_to_learn, tied]


def loss_and_gradients(solution, x, y, model, strength, rng):
    """The loss, its gradients with respect to x, y and the parameters that are to learn, and how many have a .grad already."""
    x.requires_grad_(), y.requires_grad_()
    loss = solution.penalised_loss(model, x, y, strength)
    wanted = {"x": x, "y": y} | {name: p for name, p in model.named_parameters() if p.requires_grad}
    found = gradients(loss, wanted.values(), upstream(loss, rng))
    filled_already = sum(t.grad is not None for t in wanted.values())
    return {"gradients": dict(zip(wanted, found, strict=True)), "loss": loss, "tensors with a .grad before backward()": filled_already}


@check(points=3, x=tensor("batch features"), hidden=[2, 4, 1], mode=[True, False], minimum={"features": 1})
def scorer_reaches_every_parameter(solution, x, hidden, mode, rng):
    """Scores and the gradients of x and of all four parameters are right."""
    model = filled(solution.TwoStageScorer(x.shape[1], hidden), x).train(mode)
    x.requires_grad_()
    score = model(x)
    names = [name for name, _ in model.named_parameters()]
    found = gradients(score, [x, *model.parameters()], upstream(score, rng))
    return {
        "scores": score,
        "keys of the state_dict": sorted(model.state_dict()),
        "gradients": dict(zip(["x", *names], found, strict=True)),
    }


X = torch.tensor([[0.5, -1.0, 2.0], [1.0, 0.25, -0.5]], dtype=torch.float64)
TENTH = {"x": X, "y": X.flip(0), "make": line, "strength": 0.1}  # another number in float32


@check(
    points=3, x=tensor("batch features"), y=tensor("batch features"), make=MODELS, strength=[0.5, 0, 2, 0.1], minimum=1, examples=[TENTH],
)  # fmt: skip
def loss_has_the_gradients_of_both_parts(solution, x, y, make, strength, rng):
    """The error and the penalty both contribute to the gradients."""
    return loss_and_gradients(solution, x, y, filled(make(x.shape[1]), x), strength, rng)


@check(points=1, star=True, x=tensor("batch features"), y=tensor("batch features"), make=SPECIAL, minimum=1)
def special_models_have_their_penalty(solution, x, y, make, rng):
    """Parameters may be frozen, shared or all 0, and there may be none."""
    model = filled(make(x.shape[1]), x)
    if make.__name__ == "tied":
        nn.init.zeros_(model[0].bias)  # as in many new models: a root has no slope there
    return loss_and_gradients(solution, x, y, model, 0.5, rng)


@check(points=1, star=True, x=tensor("batch features"), y=tensor("batch features"), make=MODELS, minimum=1, beside=True)
def leaves_backward_to_the_caller(solution, x, y, make):
    """The model is called once and keeps its dtype, even bfloat16; no .grad changes."""
    x, y = x.bfloat16(), y.bfloat16()
    model, calls = filled(make(x.shape[1]), x), []
    for k, p in enumerate(model.parameters()):
        p.grad = torch.full_like(p, k + 1.0) if k % 2 else None
    model.register_forward_hook(lambda *_: calls.append(1))
    loss = solution.penalised_loss(model, x.requires_grad_(), y, 0.5)
    old = [p.grad for p in model.parameters()]
    facts = {"calls of the model": len(calls), "old .grad": old, ".grad of x": x.grad, "dtype of the loss": str(loss.dtype)}
    with torch.no_grad():
        plain = solution.penalised_loss(filled(line(x.shape[1]), x.float()), x.float(), y.float(), 1)
    return plain, facts


@check(points=1, star=True, x=tensor("batch features"), minimum=1)
def works_without_a_graph(solution, x):
    """Under no_grad scores and loss are the same, without a graph."""
    model, other = filled(solution.TwoStageScorer(x.shape[1], 3), x), filled(line(x.shape[1]), x)
    with torch.no_grad():
        score, loss = model(x), solution.penalised_loss(other, x, x.flip(0), 0)
    return {"scores": score, "loss": loss, "has a graph": [score.requires_grad, loss.requires_grad]}
