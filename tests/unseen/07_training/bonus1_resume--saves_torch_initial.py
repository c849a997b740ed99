"""Saves torch.initial_seed() and calls torch.manual_seed with it when loading, instead of the state of the generator: the random numbers start from the beginning and do not continue, so dropout and shuffling differ."""
from pathlib import Path

import torch
from torch import nn


def save_checkpoint(path: Path | str, model: nn.Module, opt: torch.optim.Optimizer, epoch: int) -> None:
    torch.save(
        {
            "model": model.state_dict(),
            "opt": opt.state_dict(),
            "epoch": epoch,
            "seed": torch.initial_seed(),
        },
        path,
    )


def load_checkpoint(path: Path | str, model: nn.Module, opt: torch.optim.Optimizer) -> int:
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(checkpoint["model"])
    opt.load_state_dict(checkpoint["opt"])
    torch.manual_seed(checkpoint["seed"])
    return checkpoint["epoch"]
