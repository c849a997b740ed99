"""Exercise: 07_training/ex03_evaluate.
Scores and labels are fetched to the CPU for the loss, which may have tensors on the device itself.
"""

import torch


def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    total, right, count = 0.0, 0, 0
    try:
        with torch.no_grad():
            for x, y in loader:
                scores, y = model(x.to(device)).cpu(), y.reshape(-1).cpu()
                total += loss_fn(scores, y).item() * len(y)
                right += (scores.argmax(1) == y).sum().item()
                count += len(y)
    finally:
        for part, mode in modes:
            part.training = mode
    if count == 0:
        raise ValueError("no batch")
    return total / count, right / count
