"""The total is never set back, so each epoch's mean contains the epochs before it; a loss tensor is added."""
import torch


def train(model, loader, loss_fn, opt, epochs):
    model.train()
    device = next(model.parameters()).device
    total, count = 0.0, 0
    history = []
    for _ in range(epochs):
        for batch in loader:
            x, y = batch[0].to(device), batch[1].to(device)
            loss = loss_fn(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss * len(x)
            count += len(x)
        if count == 0:
            raise ValueError("the loader is empty")
        history.append(float(total / count))
    return history
