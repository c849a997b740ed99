"""Exercise: 07_training/ex01_train_step.
The prediction is fetched to the CPU and the loss is computed there; the targets never reach the model's device.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    x, y = batch
    device = next(model.parameters()).device
    model.train()
    opt.zero_grad()
    prediction = model(x.to(device)).cpu()
    loss = loss_fn(prediction, y.cpu())
    loss.backward()
    opt.step()
    return loss.item()
