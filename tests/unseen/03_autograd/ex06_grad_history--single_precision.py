"""The leaf is made without a dtype, so it is float32 instead of float64."""
import torch


def grad_history(fs, x0, *, zero):
    x = torch.tensor(float(x0), requires_grad=True)
    history = []
    for f in fs:
        if zero:
            x.grad = None
        y = f(x)
        if torch.is_tensor(y) and y.requires_grad:
            y.backward()
        history.append(0.0 if x.grad is None else x.grad.item())
    return history
