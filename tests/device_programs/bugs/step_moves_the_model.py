"""Exercise: 07_training/ex01_train_step.
The model is moved to the batch, instead of the batch to the model, and stays there.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    x, y = batch
    model.to(x.device)
    y = y.to(x.device)
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
