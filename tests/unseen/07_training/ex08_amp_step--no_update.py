"""The scaler is never updated, so its scale stays the same."""
import torch


def survives_fp16(x, scale):
    y = (x.detach() * scale).to(torch.float16)
    return torch.isfinite(y) & ((y != 0) | (x == 0))


def amp_step(model, batch, loss_fn, opt, scaler, device_type, dtype):
    x, y = batch
    device = next(model.parameters()).device
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x.to(device)), y.to(device))
    scaler.scale(loss).backward()
    scaler.step(opt)
    return loss.item()
