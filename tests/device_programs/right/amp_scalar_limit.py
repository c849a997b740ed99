"""Exercise: 07_training/ex08_amp_step.
The largest float16 is a 0-dim CPU tensor, which may be compared with tensors of any device.
"""

import torch

LARGEST = torch.tensor(torch.finfo(torch.float16).max)


def survives_fp16(x, scale):
    x = x.detach()
    half = (x * scale).to(torch.float16).to(x.dtype)
    return (half.abs() <= LARGEST) & ((half != 0) | (x == 0))


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
