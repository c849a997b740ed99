"""Exercise: 08_debugging/ex09_best_model_lost.
The best weights are cloned where they are.
"""

import copy

import torch

REPAIRED = True


def train_keeping_best(model, train_epoch, validate, epochs):
    best_loss, best_state = float("inf"), None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss < best_loss:
            best_loss = loss
            best_state = copy.deepcopy(model.state_dict())
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return best_state, best_loss
