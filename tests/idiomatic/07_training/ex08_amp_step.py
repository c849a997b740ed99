import torch


def survives_fp16(x, scale):
    scaled = (x * scale).half()
    return torch.isfinite(scaled) & ((scaled != 0) | (x == 0))


def amp_step(model, batch, loss_fn, opt, scaler, device_type, dtype):
    model.train()
    x, y = batch
    opt.zero_grad()
    with torch.autocast(device_type=device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()
