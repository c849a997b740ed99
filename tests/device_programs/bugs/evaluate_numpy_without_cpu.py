"""Exercise: 07_training/ex03_evaluate.
The answers are compared in NumPy, without a way back to the CPU.
"""

import numpy as np
import torch


def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    modes = [(m, m.training) for m in model.modules()]
    total, right, n = 0.0, 0, 0
    try:
        model.eval()
        with torch.no_grad():
            for x, y in loader:
                x, y = x.to(device), y.to(device).view(-1)
                scores = model(x)
                total += float(loss_fn(scores, y)) * len(y)
                right += int(np.sum(scores.argmax(1).numpy() == y.numpy()))
                n += len(y)
    finally:
        for m, mode in modes:
            m.training = mode
    if n == 0:
        raise ValueError("no batches")
    return total / n, right / n
