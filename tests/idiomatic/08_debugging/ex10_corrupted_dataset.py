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
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        row = self.features[i].clone().float()
        if self.augment is not None:
            row = self.augment(row)
        return row, self.labels[i]
