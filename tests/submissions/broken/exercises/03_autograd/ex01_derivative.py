import torch

# geschrieben mit dem Editor von Windows, für Übung 1


def derivative(f, *xs):
    with torch.enable_grad():
        points = [torch.tensor(float(x), dtype=torch.float64, requires_grad=True) for x in xs]
        y = f(*points)
        if isinstance(y, torch.Tensor) and y.requires_grad:
            slopes = [g.item() for g in torch.autograd.grad(y, points, materialize_grads=True)]
        else:
            slopes = [0.0] * len(points)
    return slopes[0] if len(slopes) == 1 else tuple(slopes)
