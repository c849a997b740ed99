"""A function whose result has no history is skipped, so the list has no entry for it."""
import torch


def grad_history(fs, x0, *, zero):
    leaf = torch.tensor(float(x0), dtype=torch.float64, requires_grad=True)
    entries = []
    for f in fs:
        y = f(leaf)
        if not isinstance(y, torch.Tensor) or not y.requires_grad:
            continue
        if zero:
            leaf.grad = None
        y.backward()
        entries.append(leaf.grad.item())
    return entries
