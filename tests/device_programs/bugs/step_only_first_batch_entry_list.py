"""Exercise: 07_training/ex01_train_step.
A loop over the batch assigns the moved tensor to the loop variable only.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    device = next(model.parameters()).device
    for t in batch:
        t = t.to(device)
    x, y = batch
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
