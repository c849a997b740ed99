"""Exercise: 08_debugging/ex01_stale_gradients.
Each loss is joined to a tensor of losses that lies on the CPU.
"""

import torch

REPAIRED = True


def fit_batches(model, batches, loss_fn, opt):
    losses = torch.zeros(0, dtype=torch.float64)
    for inputs, targets in batches:
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        opt.step()
        losses = torch.cat([losses, loss.detach().double().reshape(1)])
    return losses.tolist()
