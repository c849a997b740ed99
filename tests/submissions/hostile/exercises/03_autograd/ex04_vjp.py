# an honest answer among the others
import torch


def vjp(f, x, v):
    p = x.detach().clone().requires_grad_()
    with torch.enable_grad():
        y = f(p)
        if y.shape != v.shape:
            raise ValueError("v does not fit f(x)")
        if not y.requires_grad:
            return torch.zeros_like(p).detach()
        return torch.autograd.grad((v.detach() * y).sum(), p, materialize_grads=True)[0]
