"""Exercise: 07_training/ex02_train.
In the loop the targets are not moved.
"""

import torch


def train(model, loader, loss_fn, opt, epochs):
    device = next(model.parameters()).device
    history = []
    model.train()
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in loader:
            x = x.to(device)
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item() * x.shape[0]
            count += x.shape[0]
        if count == 0:
            raise ValueError("the loader gave no batch")
        history.append(total / count)
    return history
