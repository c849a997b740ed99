"""Exercise: 07_training/ex01_train_step.
The batch moves only if the model is on CUDA; every other accelerator is forgotten, and so is a model on the CPU.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    x, y = batch
    if next(model.parameters()).is_cuda:
        x, y = x.cuda(), y.cuda()
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
