"""Exercise: 07_training/ex03_evaluate.
Scores of the device are indexed with rows and labels that lie on the CPU, which is allowed.
"""

import torch


@torch.no_grad()
def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    modes = [(m, m.training) for m in model.modules()]
    total, right, n = 0.0, 0, 0
    try:
        model.eval()
        for x, y in loader:
            y = y.reshape(-1)
            scores = model(x.to(device))
            total += loss_fn(scores, y.to(device)).item() * len(y)
            own = scores[torch.arange(len(y)), y.cpu()]
            right += (own == scores.amax(dim=1)).sum().item()
            n += len(y)
    finally:
        for m, mode in modes:
            m.training = mode
    if n == 0:
        raise ValueError("no batch")
    return total / n, right / n
