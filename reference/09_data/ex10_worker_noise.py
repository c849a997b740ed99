"""Reference solution: the global generator in the dataset, and seeds that follow from the loader's."""

import random

import numpy as np
import torch
from torch.utils.data import Dataset

REPAIRED = True


class NoisySignals(Dataset):
    """Return signals, each with new noise."""

    def __init__(self, signals: torch.Tensor, noise: float):
        self.signals = signals
        self.noise = noise

    def __len__(self) -> int:
        """Return the number of signals."""
        return len(self.signals)

    def __getitem__(self, i: int) -> torch.Tensor:
        """Return signal i with new noise."""
        signal = self.signals[i]
        return signal + self.noise * torch.randn(signal.shape, dtype=signal.dtype)


def seed_worker(worker_id: int) -> None:
    """Prepare the global generators of a worker; a loader calls this as its worker_init_fn."""
    seed = torch.initial_seed() % 2**32
    random.seed(seed)
    np.random.seed(seed)
