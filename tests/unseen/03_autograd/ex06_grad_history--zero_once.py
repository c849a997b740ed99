"""The gradient is cleared only once before the loop instead of before each backward pass."""
import torch


def grad_history(fs, x0, *, zero):
    x = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
    notes = []
    if zero:
        x.grad = None
    for f in fs:
        y = f(x)
        if isinstance(y, torch.Tensor) and y.requires_grad:
            y.backward()
        notes.append(x.grad.item() if x.grad is not None else 0.0)
    return notes
