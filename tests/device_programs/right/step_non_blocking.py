"""Exercise: 07_training/ex01_train_step.
The copies are non_blocking, which changes nothing for the reader of the result.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    x, y = batch
    where = [p.device for p in model.parameters()][0]
    x = x.to(where, non_blocking=True)
    y = y.to(where, non_blocking=True)
    model.train()
    loss = loss_fn(model(x), y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    return loss.detach().cpu().item()
