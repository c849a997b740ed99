"""Exercise: 07_training/ex01_train_step.
The batch moves with .cuda(), wherever the model is, and only if there is CUDA.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    x, y = batch
    if torch.cuda.is_available():
        x = x.cuda()
        y = y.cuda()
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
