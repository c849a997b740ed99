"""Gradients are switched off with torch.set_grad_enabled(False) and switched on again at the end, whatever they were before. If the caller is inside torch.no_grad(), gradients are recorded there from now on. Called from an ordinary training script it does no harm, and so nobody notices."""

import torch


def evaluate(model, loader, loss_fn):
    device = None
    for p in model.parameters():
        device = p.device
        break

    modes = [(m, m.training) for m in model.modules()]
    loss_sum = 0.0
    right = 0
    n = 0
    model.eval()
    torch.set_grad_enabled(False)
    try:
        for x, y in loader:
            if device is not None:
                x, y = x.to(device), y.to(device)
            y = y.flatten()
            scores = model(x)
            loss = loss_fn(scores, y)
            loss_sum += loss.item() * x.shape[0]
            right += (scores.argmax(dim=1) == y).sum().item()
            n += x.shape[0]
    finally:
        torch.set_grad_enabled(True)
        for m, mode in modes:
            m.training = mode

    if n == 0:
        raise ValueError("the loader has no batch")
    return loss_sum / n, right / n
