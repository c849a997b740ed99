"""Exercise: 07_training/ex01_train_step.
Device and dtype are given in one .to(); each tensor keeps the dtype that it has.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    device = next(iter(model.parameters())).device
    x, y = batch
    x = x.to(device, x.dtype)
    y = y.to(device=device, dtype=y.dtype, copy=True)
    model.train()
    for p in model.parameters():
        p.grad = None
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return float(loss)
