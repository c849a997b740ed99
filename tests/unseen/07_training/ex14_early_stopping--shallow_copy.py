"""The best state is a copy of the dict, not of the tensors, so the last weights stay; and it stops one epoch too late."""
from torch import nn


def train_until_best(model, train_epoch, validate, patience, max_epochs):
    best = float("inf")
    best_state = dict(model.state_dict())
    waited = 0
    losses = []
    for _ in range(max_epochs):
        train_epoch()
        loss = validate()
        losses.append(loss)
        if loss < best:
            best, waited = loss, 0
            best_state = dict(model.state_dict())
        else:
            waited += 1
            if waited > patience:
                break
    model.load_state_dict(best_state)
    return losses
