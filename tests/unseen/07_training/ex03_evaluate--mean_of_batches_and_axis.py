"""The predicted class is the argmax over the batch (dim 0), and the loss is the mean of the batch losses."""
import torch


def evaluate(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    device = next(model.parameters()).device
    losses, correct, count = [], 0, 0
    model.eval()
    try:
        with torch.no_grad():
            for x, y in loader:
                x, y = x.to(device), y.to(device).flatten()
                scores = model(x)
                losses.append(loss_fn(scores, y).item())
                correct += (scores.argmax(0)[: len(y)] == y[: scores.shape[1]]).sum().item()
                count += len(y)
    finally:
        for m, mode in modes:
            m.training = mode
    if not losses:
        raise ValueError("the loader gave no batch")
    return sum(losses) / len(losses), correct / count
