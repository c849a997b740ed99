"""Hidden checks for make_criterion, loss_of and sample_losses."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, tensor

CONCEPTS = ("I08",)


class oracle:
    """The formulas, number by number."""

    def make_criterion(task):
        return Formula(task)

    def loss_of(criterion, model, x, y):
        return criterion.forward(model.forward(x), y)

    def sample_losses(scores, labels):
        return torch.stack([row.exp().sum().log() - row[label] for row, label in zip(scores, labels.tolist(), strict=True)])


class Formula(nn.Module):
    """A loss object, written out."""

    def __init__(self, task):
        super().__init__()
        self.task = task

    def forward(self, prediction, target):
        if self.task == "regression":
            return ((prediction - target) ** 2).sum() / target.numel()
        return oracle.sample_losses(prediction, target).sum() / len(target)


def lopsided(prediction, target):
    """Too much costs three times as much as too little."""
    error = prediction - target
    return (error**2 * torch.where(error > 0, 3.0, 1.0).to(error.dtype)).mean()


class Lopsided(nn.Module):
    """A criterion of somebody else."""

    def forward(self, prediction, target):
        return lopsided(prediction, target)


def network(like):
    """A layer with known weights."""
    model = nn.Linear(3, 2).to(like.device, like.dtype)
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    return model


@check(points=2, prediction=tensor("batch outputs"), target=tensor("batch outputs"), minimum=1)
def regression_has_the_mean_squared_error(solution, prediction, target):
    """The criterion for regression is a module that gives the mean squared error."""
    criterion = solution.make_criterion("regression")
    return {"loss": criterion(prediction, target), "a module": isinstance(criterion, nn.Module)}


@check(points=2, scores=tensor("batch classes"), labels=tensor("batch", dtype="int64", low=0, high="classes"), minimum={"batch": 1, "classes": 2})
def classification_has_the_cross_entropy(solution, scores, labels):
    """The criterion for classification is a module that gives the mean cross-entropy."""
    criterion = solution.make_criterion("classification")
    return {"loss": criterion(scores, labels), "a module": isinstance(criterion, nn.Module)}


@check(points=3, criterion=[Lopsided, nn.MSELoss, nn.HuberLoss], x=tensor("batch 3"), y=tensor("batch 2"), minimum=1)
def the_criterion_compares_prediction_and_target(solution, criterion, x, y):
    """The loss is the result of the criterion, and its gradients reach the weights."""
    model = network(x)
    loss = solution.loss_of(criterion(), model, x, y)
    return {"loss": loss, "gradients of the weights": gradients(loss, list(model.parameters()))}


@check(points=3, scores=tensor("samples classes"), labels=tensor("samples", dtype="int64", low=0, high="classes"), minimum={"samples": 1, "classes": 2})
def each_sample_has_its_loss(solution, scores, labels):
    """The result is 1-dimensional and holds the cross-entropy of each sample."""
    return solution.sample_losses(scores, labels)
