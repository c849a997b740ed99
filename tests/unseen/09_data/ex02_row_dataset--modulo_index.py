"""i % len makes every index valid, so nothing raises IndexError and a loop never ends."""
import torch
from torch.utils.data import Dataset


class RowDataset(Dataset):
    """A map-style dataset over two aligned tensors."""

    def __init__(self, x: torch.Tensor, y: torch.Tensor):
        if len(x) != len(y):
            raise ValueError(f"x has {len(x)} rows, y has {len(y)}")
        self.x = x
        self.y = y

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.x)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return row i and its label. Negative indices wrap around, as in Python."""
        i = i % len(self.x)
        return self.x[i], self.y[i]
