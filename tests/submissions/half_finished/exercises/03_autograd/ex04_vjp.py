import torch


def vjp(f, x, v):
    x = x.detach().requires_grad_()
    with torch.enable_grad():
        y = f(x)
    if y.shape != v.shape:
        raise ValueError("shapes of f(x) and v differ")
    if not y.requires_grad:
        return torch.zeros_like(x, requires_grad=False)
    g = torch.autograd.grad(y, x, v.detach(), materialize_grads=True)[0]
    return g.detach()
