"""Both tensors given to loss_fn are squeezed, although they should go there as they are; and the model stays in the mode it was in."""
import torch


def train_step(model, batch, loss_fn, opt):
    x, y = batch
    device = next(model.parameters()).device
    x, y = x.to(device), y.to(device)
    opt.zero_grad()
    pred = model(x)
    loss = loss_fn(pred.squeeze(), y.squeeze())
    loss.backward()
    opt.step()
    return loss.item()
