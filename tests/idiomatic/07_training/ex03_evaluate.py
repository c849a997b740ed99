import torch


@torch.no_grad()
def evaluate(model, loader, loss_fn):
    model.eval()
    total_loss, correct, total = 0.0, 0, 0
    for x, y in loader:
        scores = model(x)
        total_loss += loss_fn(scores, y).item() * len(y)
        correct += (scores.argmax(dim=1) == y).sum().item()
        total += len(y)
    return total_loss / total, correct / total
