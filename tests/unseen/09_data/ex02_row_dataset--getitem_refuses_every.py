"""__getitem__ refuses every negative index with an IndexError, data[-1] too."""
import torch
from torch.utils.data import Dataset


class RowDataset(Dataset):
    def __init__(self, x: torch.Tensor, y: torch.Tensor):
        if len(x) != len(y):
            raise ValueError(f"{len(x)} rows, but {len(y)} labels")
        self.x = x
        self.y = y

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        if i < 0 or i >= len(self.x):
            raise IndexError(f"no sample {i} in a dataset of {len(self.x)}")
        return self.x[i], self.y[i]
