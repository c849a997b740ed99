"""Exercise: 07_training/ex01_train_step.
The targets are not moved to the device of the model.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    x, y = batch
    model.train()
    opt.zero_grad()
    prediction = model(x.to(next(model.parameters()).device))
    loss = loss_fn(prediction, y)
    loss.backward()
    opt.step()
    return loss.item()
