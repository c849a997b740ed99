import torch


def grad_history(fs, x0, *, zero):
    x = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
    history = []
    for f in fs:
        if zero:
            x.grad = None
        f(x).backward()
        history.append(x.grad.item())
    return history
