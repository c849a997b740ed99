"""The returned loss is the scaled one, and the loss function runs outside autocast."""
import torch


def survives_fp16(x, scale):
    y = (x * scale).to(torch.float16)
    return ~torch.isinf(y) & (y != 0)


def amp_step(model, batch, loss_fn, opt, scaler, device_type, dtype):
    model.train()
    device = next(model.parameters()).device
    x, y = [t.to(device) for t in batch]
    opt.zero_grad()
    with torch.autocast(device_type=device_type, dtype=dtype):
        out = model(x)
    loss = scaler.scale(loss_fn(out, y))
    loss.backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()
