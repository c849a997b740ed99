"""The derivative for each x is computed in a loop with backward and the grads are never cleared; the graph is walked again each time."""
import torch


def derivative(f, *xs):
    leaves = [torch.tensor(float(x), dtype=torch.float64, requires_grad=True) for x in xs]
    grads = []
    for leaf in leaves:
        y = f(*leaves)
        if torch.is_tensor(y) and y.requires_grad:
            y.backward()
        grads.append(0.0 if leaf.grad is None else leaf.grad.item())
    return grads[0] if len(grads) == 1 else tuple(grads)
