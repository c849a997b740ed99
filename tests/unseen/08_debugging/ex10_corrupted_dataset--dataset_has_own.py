"""(a) The dataset has its own copy of the array, but a row is a view of this copy: an in-place augment changes the dataset, and data[0] grows with each request. (b) A label keeps the integer dtype of the array (int32 stays int32)."""
import numpy as np
import torch
from torch.utils.data import Dataset

REPAIRED = True


class AugmentedRows(Dataset):
    def __init__(self, features: np.ndarray, labels: np.ndarray, augment=None):
        # own copies, so the caller's arrays are safe
        self.features = torch.tensor(np.array(features, dtype=np.float32), device="cpu")
        self.labels = torch.tensor(np.array(labels), device="cpu")
        self.augment = augment

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        row = self.features[i]
        if self.augment is not None:
            row = self.augment(row)
        return row, self.labels[i].clone()
