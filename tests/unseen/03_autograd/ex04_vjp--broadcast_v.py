"""v is multiplied into f(x) without a look at the shapes, so a v that broadcasts is accepted."""
import torch


def vjp(f, x, v):
    leaf = x.detach().clone().requires_grad_()
    out = (f(leaf) * v.detach()).sum()
    if not out.requires_grad:
        return torch.zeros_like(leaf)
    g, = torch.autograd.grad(out, leaf, allow_unused=True)
    return torch.zeros_like(x) if g is None else g
