"""Exercise: 07_training/ex01_train_step.
Model and batch go to the CPU for the step, and the model goes back afterwards: nothing is computed on the device.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    home = next(model.parameters()).device
    x, y = batch
    model.cpu()
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x.cpu()), y.cpu())
    loss.backward()
    opt.step()
    model.to(home)
    return loss.item()
