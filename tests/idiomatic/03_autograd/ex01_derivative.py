import torch


def derivative(f, *xs):
    inputs = [torch.tensor(float(x), dtype=torch.float64, requires_grad=True) for x in xs]
    f(*inputs).backward()
    grads = tuple(x.grad.item() for x in inputs)
    return grads[0] if len(grads) == 1 else grads
