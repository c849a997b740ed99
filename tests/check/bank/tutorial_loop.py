"""Training and evaluation as a tutorial writes them."""

import torch


def train_one_batch(model, x, y, criterion, optimizer, device):
    model.train()
    x, y = x.to(device), y.to(device)
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def fit(model, train_loader, criterion, optimizer, num_epochs):
    history = []
    for _ in range(num_epochs):
        model.train()
        total, seen = 0.0, 0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
            seen += len(x)
        history.append(total / seen)
    return history


@torch.no_grad()
def validate(model, val_loader, criterion):
    model.eval()
    total, correct, seen = 0.0, 0, 0
    for x, y in val_loader:
        out = model(x)
        total += criterion(out, y).item() * len(y)
        correct += (out.argmax(dim=1) == y).sum().item()
        seen += len(y)
    return total / seen, correct / seen
