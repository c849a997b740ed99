"""Exercise: 07_training/ex01_train_step.
The batch is always brought to the CPU.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    x, y = batch
    x = x.to("cpu")
    y = y.to("cpu")
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
