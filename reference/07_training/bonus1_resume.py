"""Save a training run and continue it."""

from pathlib import Path

import torch
from torch import nn


def save_checkpoint(path: Path | str, model: nn.Module, opt: torch.optim.Optimizer, epoch: int) -> None:
    """Write everything that training needs to continue into the file at path."""
    checkpoint = {
        "model": model.state_dict(),
        "opt": opt.state_dict(),
        "epoch": epoch,
        "rng": torch.get_rng_state(),
    }
    torch.save(checkpoint, path)


def load_checkpoint(path: Path | str, model: nn.Module, opt: torch.optim.Optimizer) -> int:
    """Bring model, optimizer and random numbers to the state saved at path, and return the finished epochs."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["opt"])
    torch.set_rng_state(checkpoint["rng"])
    return checkpoint["epoch"]
