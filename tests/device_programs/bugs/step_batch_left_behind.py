"""Exercise: 07_training/ex01_train_step.
The inputs stay where the loader made them; only the targets move.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    x, y = batch
    device = next(model.parameters()).device
    y = y.to(device)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
