"""It takes the mean of the batch losses, so a small last batch counts too much."""
import torch


def train(model, loader, loss_fn, opt, epochs):
    device = next(model.parameters()).device
    history = []
    for epoch in range(epochs):
        model.train()
        losses = []
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        if not losses:
            raise ValueError("no batches")
        history.append(sum(losses) / len(losses))
    return history
