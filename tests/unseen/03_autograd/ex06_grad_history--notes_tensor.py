"""The same .grad tensor is appended each time, so all entries show the last value (with zero=False)."""
import torch

def grad_history(fs, x0, *, zero):
    leaf = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
    seen = []
    for f in fs:
        if zero:
            leaf.grad = None
        y = f(leaf)
        if isinstance(y, torch.Tensor) and y.requires_grad:
            y.backward()
        seen.append(leaf.grad)
    return [0.0 if g is None else float(g) for g in seen]
