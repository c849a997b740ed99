import torch


def vjp(f, x, v):
    """Gradient of (v * f(x)).sum() with respect to x, v constant."""
    # A leaf of my own: x itself may require grad, may have a .grad, may be part of another graph.
    leaf = x.detach().clone().requires_grad_(True)

    with torch.enable_grad():
        y = f(leaf)

    if v.shape != y.shape:
        raise ValueError(f"v has shape {tuple(v.shape)} but f(x) has shape {tuple(y.shape)}")

    if not y.requires_grad:
        return torch.zeros_like(leaf, requires_grad=False)

    (grad,) = torch.autograd.grad(y, leaf, grad_outputs=v.detach(), allow_unused=True)
    if grad is None:  # f has a history, but x is not in it
        return torch.zeros_like(leaf, requires_grad=False)
    return grad.detach()
