"""Exercise: 07_training/ex02_train.
Losses are assigned to places of a CPU tensor, which copies them; the weighting with sizes happens on the CPU.
"""

import torch


def train(model, loader, loss_fn, opt, epochs):
    device = next(model.parameters()).device
    history = torch.zeros(epochs, dtype=torch.float64)
    for epoch in range(epochs):
        model.train()
        losses, sizes = [], []
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            losses.append(loss.detach().reshape(()).double().cpu())
            sizes.append(len(x))
        if not sizes:
            raise ValueError("no batch")
        weights = torch.tensor(sizes)
        history[epoch] = (torch.stack(losses) * weights).sum() / weights.sum()
    return history.tolist()
