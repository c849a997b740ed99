"""Exercise: 07_training/ex03_evaluate.
The loss gets moved labels, but the comparison uses the labels that stayed behind.
"""

import torch


def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    modes = {m: m.training for m in model.modules()}
    total, right, n = 0.0, 0, 0
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                y = y.flatten()
                scores = model(x.to(device))
                total += loss_fn(scores, y.to(device)).item() * y.numel()
                right += (scores.argmax(1) == y).sum().item()
                n += y.numel()
    finally:
        for m, mode in modes.items():
            m.training = mode
    if n == 0:
        raise ValueError("no batches")
    return total / n, right / n
