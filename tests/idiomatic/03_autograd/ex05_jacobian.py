import torch


def jacobian(f, x):
    x = x.detach().clone().requires_grad_(True)
    y = f(x)
    rows = []
    for out in y.reshape(-1):
        (g,) = torch.autograd.grad(out, x, retain_graph=True)
        rows.append(g)
    return torch.stack(rows).reshape(y.shape + x.shape)
