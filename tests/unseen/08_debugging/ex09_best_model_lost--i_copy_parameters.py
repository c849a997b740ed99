"""I copy the parameters only, and load with strict=False: the buffers (running statistics of batch norm) are missing in state, and the model keeps those of the last epoch."""
import torch
from torch import nn

REPAIRED = True  # set to True when you have repaired the code below


def train_keeping_best(model: nn.Module, train_epoch, validate, epochs: int) -> tuple[dict[str, torch.Tensor], float]:
    best_loss, best_state = float("inf"), None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss < best_loss:
            best_loss = loss
            best_state = {name: p.detach().clone() for name, p in model.named_parameters()}
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state, strict=False)
    return best_state, best_loss
