"""zero_grad stands between backward and step, so nothing is learned."""
import torch


def train_step(model, batch, loss_fn, opt):
    device = next(model.parameters()).device
    x, y = (t.to(device) for t in batch)
    model.train()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.zero_grad()
    opt.step()
    return loss.item()
