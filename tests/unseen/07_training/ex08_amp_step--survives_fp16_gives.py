"""(a) survives_fp16 gives False for an x of 0. (b) In amp_step only the model runs under autocast, loss_fn runs outside of it."""
from collections.abc import Callable

import torch
from torch import nn


def survives_fp16(x: torch.Tensor, scale: float) -> torch.Tensor:
    stored = (x.detach() * scale).to(torch.float16)
    return torch.isfinite(stored) & (stored != 0)


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
    x, y = batch
    x, y = x.to(device), y.to(device)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        prediction = model(x)
    loss = loss_fn(prediction, y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()
