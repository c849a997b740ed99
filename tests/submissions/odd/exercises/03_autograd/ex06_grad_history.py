import itertools

import torch


def grad_history(fs, x0, *, zero):
    with torch.enable_grad():
        own = (slope(f, x0) for f in fs)
        return list(own) if zero else list(itertools.accumulate(own))


def slope(f, x0, **_):
    """Never looks at .grad: autograd.grad hands the gradient over, accumulate does the adding up."""
    x = torch.scalar_tensor(x0, dtype=torch.double).requires_grad_()
    y = f(x)
    try:
        return torch.autograd.grad(y, x)[0].item()
    except (RuntimeError, TypeError, AttributeError):
        return 0.0
