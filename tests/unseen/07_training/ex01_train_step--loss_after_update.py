"""The loss that is returned is computed again after the update."""
import torch


def train_step(model, batch, loss_fn, opt):
    model.train()
    device = next(model.parameters()).device
    x, y = batch[0].to(device), batch[1].to(device)
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    with torch.no_grad():
        loss = loss_fn(model(x), y)
    return loss.item()
