"""Exercise: 07_training/ex02_train.
The batch moves with .cuda(), and a failure is swallowed: on any other accelerator it stays behind.
"""

import torch


def to_gpu(t):
    try:
        return t.cuda()
    except (RuntimeError, AssertionError):
        return t


def train(model, loader, loss_fn, opt, epochs):
    history = []
    for _ in range(epochs):
        model.train()
        total, count = 0.0, 0
        for batch in loader:
            x, y = (to_gpu(t) for t in batch)
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            total += loss.item() * x.shape[0]
            count += x.shape[0]
        if count == 0:
            raise ValueError("empty loader")
        history.append(total / count)
    return history
