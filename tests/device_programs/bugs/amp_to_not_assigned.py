"""Exercise: 07_training/ex08_amp_step.
The results of .to(device_type) are thrown away.
"""

import torch


def survives_fp16(x, scale):
    x = x.detach()
    half = (x * scale).to(torch.float16)
    return torch.isfinite(half) & ((half != 0) | (x == 0))


def amp_step(model, batch, loss_fn, opt, scaler, device_type, dtype):
    x, y = batch
    x.to(device_type)
    y.to(device_type)
    model.train()
    opt.zero_grad(set_to_none=True)
    with torch.autocast(device_type=device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return float(loss.detach())
