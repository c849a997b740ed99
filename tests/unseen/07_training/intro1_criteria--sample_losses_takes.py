"""sample_losses takes log_softmax over the samples (dim=0) instead of the classes, so the losses are wrong."""
import torch
from torch import nn


def make_criterion(task: str) -> nn.Module:
    classes = {"regression": nn.MSELoss, "classification": nn.CrossEntropyLoss}
    return classes[task]()


def loss_of(criterion: nn.Module, model: nn.Module, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return criterion(model(x), y)


def sample_losses(scores: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    log_probabilities = torch.log_softmax(scores, dim=0)
    rows = torch.arange(len(labels), device=labels.device)
    return -log_probabilities[rows, labels]
