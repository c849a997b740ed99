"""Exercise: 07_training/ex02_train.
The default device is set for the loop and restored in a finally.
"""

import torch


def train(model, loader, loss_fn, opt, epochs):
    before = torch.get_default_device()
    device = next(model.parameters()).device
    history = []
    for _ in range(epochs):
        model.train()
        total, count = 0.0, 0
        for x, y in loader:
            torch.set_default_device(device)
            try:
                x, y = torch.as_tensor(x).to(device), torch.as_tensor(y).to(device)
                opt.zero_grad()
                loss = loss_fn(model(x), y)
                loss.backward()
                opt.step()
            finally:
                torch.set_default_device(before)
            total += loss.item() * len(x)
            count += len(x)
        if count == 0:
            raise ValueError("no batch")
        history.append(total / count)
    return history
