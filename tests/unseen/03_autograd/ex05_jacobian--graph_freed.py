"""retain_graph=True is missing: the second row fails."""
import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_(True)
    y = f(x)
    rows = []
    for value in y.reshape(-1):
        if not value.requires_grad:
            rows.append(torch.zeros_like(x))
            continue
        (row,) = torch.autograd.grad(value, x, allow_unused=True)
        rows.append(torch.zeros_like(x) if row is None else row)
    if not rows:
        return torch.zeros(*y.shape, *x.shape, dtype=x.dtype, device=x.device)
    return torch.stack(rows).reshape(*y.shape, *x.shape)
