"""(a) The comparison is <=, so of several epochs with the lowest loss the last one wins. (b) The search starts at 1e9, so if all losses are larger there is no best epoch and a ValueError comes."""
import torch
from torch import nn

REPAIRED = True


def train_keeping_best(model: nn.Module, train_epoch, validate, epochs: int) -> tuple[dict[str, torch.Tensor], float]:
    best_loss, best_state = 1e9, None
    for _ in range(epochs):
        train_epoch(model)
        loss = validate(model)
        if loss <= best_loss:
            best_loss = loss
            best_state = {name: value.detach().clone() for name, value in model.state_dict().items()}
    if best_state is None:
        raise ValueError("no epoch has a loss to compare")
    model.load_state_dict(best_state)
    return best_state, best_loss
