"""len is the number of features, and an index that is too large is not refused because of the modulo."""
import torch
from torch.utils.data import Dataset


class RowDataset(Dataset):
    def __init__(self, x, y):
        if len(x) != len(y):
            raise ValueError("x and y differ")
        self.x, self.y = x, y

    def __len__(self):
        return self.x.shape[1]

    def __getitem__(self, i):
        i = i % len(self.x)
        return self.x[i], self.y[i]
