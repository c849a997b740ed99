"""I clone the row but not the label: the label is a view of the dataset's labels, so changing it in place changes what the next data[i] gives."""
import numpy as np
import torch
from torch.utils.data import Dataset

REPAIRED = True  # set to True when you have repaired the code below


class AugmentedRows(Dataset):
    def __init__(self, features: np.ndarray, labels: np.ndarray, augment=None):
        self.features = torch.tensor(features, dtype=torch.float32, device="cpu")
        self.labels = torch.tensor(labels, dtype=torch.int64, device="cpu")
        self.augment = augment

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        row = self.features[i].clone()
        if self.augment is not None:
            row = self.augment(row)
        return row, self.labels[i]
