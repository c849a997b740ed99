import torch


def derivative(f, *xs):
    x = [torch.tensor(a, requires_grad=True) for a in xs]
    y = f(*x)
    y.backward()
    result = []
    for a in x:
        result.append(a.grad.item())
    if len(result) == 1:
        return result[0]
    else:
        return tuple(result)
