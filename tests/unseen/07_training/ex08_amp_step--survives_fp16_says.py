"""(a) survives_fp16 says False for x = 0, although nothing is lost there. (b) loss_fn is called outside the autocast block."""
from collections.abc import Callable

import torch
from torch import nn


def survives_fp16(x: torch.Tensor, scale: float) -> torch.Tensor:
    stored = (x * scale).to(torch.float16)
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
    model.train()
    where = next(model.parameters()).device
    x, y = [t.to(where) for t in batch]

    opt.zero_grad(set_to_none=True)
    with torch.autocast(device_type=device_type, dtype=dtype):
        prediction = model(x)
    loss = loss_fn(prediction, y)

    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()
