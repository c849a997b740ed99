"""Exercise: 07_training/ex02_train.
The model is called with copies of its parameters on the CPU; gradients flow back through the copies.
"""

import torch


def train(model, loader, loss_fn, opt, epochs):
    history = []
    for _ in range(epochs):
        model.train()
        total, count = 0.0, 0
        for x, y in loader:
            opt.zero_grad()
            copies = {name: p.cpu() for name, p in model.named_parameters()}
            loss = loss_fn(torch.func.functional_call(model, copies, (x.cpu(),)), y.cpu())
            loss.backward()
            opt.step()
            total += loss.item() * len(x)
            count += len(x)
        if count == 0:
            raise ValueError("no batch")
        history.append(total / count)
    return history
