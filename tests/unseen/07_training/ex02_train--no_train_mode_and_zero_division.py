"""The model is never put into training mode, and an epoch without a batch divides by zero instead of raising a ValueError."""
import torch


def train(model, loader, loss_fn, opt, epochs):
    device = next(model.parameters()).device
    history = []
    for _ in range(epochs):
        total, seen = 0.0, 0
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item() * x.shape[0]
            seen += x.shape[0]
        history.append(total / seen)
    return history
