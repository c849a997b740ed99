"""A training step in mixed precision, and what float16 can hold."""

from collections.abc import Callable

import torch
from torch import nn


def survives_fp16(x: torch.Tensor, scale: float) -> torch.Tensor:
    """Say for each number whether float16 can still hold it after it is multiplied by scale."""
    stored = (x * scale).to(torch.float16)
    return stored.isfinite() & ((stored != 0) | (x == 0))


def amp_step(
    model: nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
    scaler: torch.amp.GradScaler,
    device_type: str,
    dtype: torch.dtype,
) -> float:
    """Train the model on one batch in mixed precision and return the loss of the batch."""
    device = next(model.parameters()).device
    x, y = (part.to(device) for part in batch)
    model.train()
    opt.zero_grad()
    with torch.autocast(device_type, dtype=dtype):
        loss = loss_fn(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    return loss.item()
