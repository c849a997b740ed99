"""A new loss has to be lower than the best one by more than 0.0001, a min_delta as in early stopping. The stub takes the lowest loss, however close the others are, so small improvements at the end of a training are lost. The copy of the weights is right."""

import copy

import torch
from torch import nn

REPAIRED = True  # set to True when you have repaired the code below

MIN_DELTA = 1e-4


def train_keeping_best(model: nn.Module, train_epoch, validate, epochs: int) -> tuple[dict[str, torch.Tensor], float]:
    best_loss, best_state = float("inf"), None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss < best_loss - MIN_DELTA:
            best_loss, best_state = loss, copy.deepcopy(model.state_dict())
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return best_state, best_loss
