"""Exercise: 07_training/ex01_train_step.
The results of .to(device) are thrown away.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    device = next(model.parameters()).device
    x, y = batch
    x.to(device)
    y.to(device)

    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()

    return loss.item()
