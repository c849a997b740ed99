import numpy as np
import torch


def as_shared(a: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(a)


def as_owned(a: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(a).clone()
