"""torch.tensor always copies, so as_shared does not share; use torch.from_numpy."""
import numpy as np
import torch


def as_shared(a: np.ndarray) -> torch.Tensor:
    t = torch.tensor(a)
    return t


def as_owned(a: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.array(a, copy=True))
