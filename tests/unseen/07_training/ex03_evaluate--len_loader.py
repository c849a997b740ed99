"""The sums are divided by the number of batches, and labels of shape (batch, 1) broadcast in the comparison."""
import torch


def evaluate(model, loader, loss_fn):
    flags = {m: m.training for m in model.modules()}
    device = next(model.parameters()).device
    model.eval()
    loss_sum, right, batches = 0.0, 0.0, 0
    try:
        with torch.no_grad():
            for x, y in loader:
                x, y = x.to(device), y.to(device)
                scores = model(x)
                loss_sum += loss_fn(scores, y).item()
                right += (scores.argmax(1) == y).float().mean().item()
                batches += 1
    finally:
        for m, flag in flags.items():
            m.training = flag
    if batches == 0:
        raise ValueError("no batch")
    return loss_sum / batches, right / batches
