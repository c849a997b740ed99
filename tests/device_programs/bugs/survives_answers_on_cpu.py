"""Exercise: 07_training/ex08_amp_step.
The numbers are fetched to the CPU and the answer stays there.
"""

import torch


def survives_fp16(x, scale):
    x = x.detach().cpu()
    half = (x * scale).half()
    return torch.isfinite(half) & ((half != 0) | (x == 0))


def amp_step(model, batch, loss_fn, opt, scaler, device_type, dtype):
    device = next(model.parameters()).device
    x, y = (t.to(device) for t in batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()
