"""The leaves are float32; unused inputs give None."""
import torch

def derivative(f, *xs):
    leaves = [torch.tensor(float(x), requires_grad=True) for x in xs]
    y = f(*leaves)
    grads = torch.autograd.grad(y, leaves, allow_unused=True)
    out = tuple(g.item() for g in grads)
    return out[0] if len(out) == 1 else out
