"""Exercise: 07_training/ex03_evaluate.
The score of the right class is gathered with an index that lies on the CPU.
"""

import torch


def evaluate(model, loader, loss_fn):
    device = next(model.parameters()).device
    modes = [(m, m.training) for m in model.modules()]
    total, right, n = 0.0, 0, 0
    try:
        model.eval()
        with torch.no_grad():
            for x, y in loader:
                scores = model(x.to(device))
                y = y.reshape(-1)
                total += loss_fn(scores, y.to(device)).item() * len(y)
                own = scores.gather(1, y.unsqueeze(1)).squeeze(1)
                right += (own >= scores.amax(dim=1)).sum().item()
                n += len(y)
    finally:
        for m, mode in modes:
            m.training = mode
    if n == 0:
        raise ValueError("no batches")
    return total / n, right / n
