"""Exercise: 07_training/ex01_train_step.
The device comes from the first parameter.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    device = next(model.parameters()).device
    x, y = (t.to(device) for t in batch)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
