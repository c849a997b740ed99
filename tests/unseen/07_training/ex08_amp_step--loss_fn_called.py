"""loss_fn is called after the autocast block has ended; only the model runs under autocast. So the loss is computed from 16-bit predictions without autocast's float32 rules."""
from collections.abc import Callable

import torch
from torch import nn


def survives_fp16(x: torch.Tensor, scale: float) -> torch.Tensor:
    x = x.detach()
    stored = (x * scale).to(torch.float16)
    return (stored.isfinite() & (stored != 0)) | (x == 0)


def amp_step(
    model: nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
    scaler: torch.amp.GradScaler,
    device_type: str,
    dtype: torch.dtype,
) -> float:
    device = next(model.parameters()).device
    x, y = (t.to(device) for t in batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        prediction = model(x)
    loss = loss_fn(prediction, y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()
