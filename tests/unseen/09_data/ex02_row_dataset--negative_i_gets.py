"""n is added to a negative i, but the result is not checked again: with 3 samples, data[-4] becomes index -1 and returns the last sample instead of raising IndexError."""
import torch
from torch.utils.data import Dataset


class RowDataset(Dataset):
    def __init__(self, x: torch.Tensor, y: torch.Tensor):
        if len(x) != len(y):
            raise ValueError(f"{len(x)} rows but {len(y)} labels")
        self.x, self.y = x, y

    def __len__(self) -> int:
        return self.x.shape[0]

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        n = len(self)
        if i >= n:
            raise IndexError(f"no sample {i}")
        if i < 0:
            i += n
        return self.x[i], self.y[i]
