"""Exercise: 07_training/ex02_train.
The default device is set for the loop and never set back: tensors that the caller makes later land there.
"""

import torch


def train(model, loader, loss_fn, opt, epochs):
    device = next(model.parameters()).device
    torch.set_default_device(device)
    history = []
    model.train()
    for _ in range(epochs):
        total, count = 0.0, 0
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item() * len(x)
            count += len(x)
        if count == 0:
            raise ValueError("no batch")
        history.append(total / count)
    return history
