"""The row is converted with .float(), which copies nothing if the array is float32 already; the labels keep their dtype."""
import numpy as np
import torch
from torch.utils.data import Dataset

REPAIRED = True


class AugmentedRows(Dataset):
    def __init__(self, features: np.ndarray, labels: np.ndarray, augment=None):
        self.features = torch.from_numpy(features)
        self.labels = torch.from_numpy(labels)
        self.augment = augment

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return row i, augmented, and its label."""
        row = self.features[i].float()
        if self.augment is not None:
            row = self.augment(row)
        return row, self.labels[i]
