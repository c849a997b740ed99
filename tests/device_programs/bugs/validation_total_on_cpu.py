"""Exercise: 08_debugging/ex07_leaky_eval.
The sum of the losses is a CPU tensor to which numbers of the device are added in place.
"""

import torch

REPAIRED = True


def validation_loss(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    total, count = torch.zeros(1, dtype=torch.float64), 0
    try:
        model.eval()
        with torch.no_grad():
            for inputs, targets in loader:
                total += loss_fn(model(inputs), targets).double() * len(inputs)
                count += len(inputs)
    finally:
        for m, mode in modes:
            m.training = mode
    if count == 0:
        raise ValueError("the loader gave no batch")
    return total.item() / count
