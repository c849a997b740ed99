# Autograd 1. Worked through on Tuesday evening. -- Mira
import torch

DOUBLE = torch.float64  # float32 gives me only 7 digits, the tests want 10


def _make_leaf(number):
    """One 0-dim float64 leaf that collects a gradient."""
    return torch.tensor(float(number), dtype=DOUBLE, requires_grad=True)


def derivative(f, *xs):
    with torch.enable_grad():  # somebody may call us inside no_grad
        leaves = [_make_leaf(x) for x in xs]
        y = f(*leaves)

        # A plain number or a tensor without history: nothing depends on anything.
        if not torch.is_tensor(y) or not y.requires_grad:
            slopes = [0.0 for _ in xs]
        else:
            grads = torch.autograd.grad(y, leaves, allow_unused=True)
            slopes = [0.0 if g is None else g.item() for g in grads]

    print("derivative:", slopes)  # helped me see what happens
    if len(slopes) == 1:
        return slopes[0]
    return tuple(slopes)
