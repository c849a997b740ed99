import copy


def train_until_best(model, train_epoch, validate, patience, max_epochs):
    best_loss = float("inf")
    best_state = copy.deepcopy(model.state_dict())
    bad_epochs = 0
    history = []
    for epoch in range(max_epochs):
        train_epoch()
        loss = validate()
        history.append(loss)
        if loss < best_loss:
            best_loss = loss
            best_state = copy.deepcopy(model.state_dict())
            bad_epochs = 0
        else:
            bad_epochs += 1
            if bad_epochs >= patience:
                break
    model.load_state_dict(best_state)
    return history
