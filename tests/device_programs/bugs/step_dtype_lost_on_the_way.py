"""Exercise: 07_training/ex01_train_step.
A batch that has to move is rebuilt from Python numbers, and float64 becomes float32 on the way.
"""

import torch


def train_step(model, batch, loss_fn, opt):
    device = next(model.parameters()).device
    moved = []
    for t in batch:
        if t.device != device:
            t = torch.tensor(t.tolist(), device=device)
        moved.append(t)
    x, y = moved
    model.train()
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
