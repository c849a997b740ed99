"""Exercise: 07_training/ex08_amp_step.
The largest number of float16 is a CPU tensor with an axis, compared with tensors of the device.
"""

import torch

LARGEST = torch.tensor([torch.finfo(torch.float16).max])


def survives_fp16(x, scale):
    half = (x.detach() * scale).to(torch.float16).reshape(-1)
    finite = half.abs() <= LARGEST.half()
    return (finite & ((half != 0) | (x.detach().reshape(-1) == 0))).reshape(x.shape)


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
