"""Exercise: 07_training/ex02_train.
The losses of an epoch are stacked on the device and weighted with batch sizes that lie on the CPU.
"""

import torch


def train(model, loader, loss_fn, opt, epochs):
    device = next(model.parameters()).device
    history = []
    for _ in range(epochs):
        model.train()
        losses, sizes = [], []
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            losses.append(loss.detach().double().reshape(()))
            sizes.append(x.shape[0])
        if not losses:
            raise ValueError("the loader is empty")
        weights = torch.tensor(sizes)
        history.append(((torch.stack(losses) * weights).sum() / weights.sum()).item())
    return history
