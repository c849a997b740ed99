"""The scores go through softmax before the cross-entropy, which takes the softmax itself; loss_of returns a float."""
import torch
from torch import nn
import torch.nn.functional as F


def make_criterion(task):
    return {"regression": nn.MSELoss, "classification": nn.CrossEntropyLoss}[task]()


def loss_of(criterion, model, x, y):
    pred = model(x)
    return criterion(pred, y).item()


def sample_losses(scores, labels):
    return F.cross_entropy(F.softmax(scores, dim=1), labels, reduction="none")
