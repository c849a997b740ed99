"""An index that is too large raises IndexError, but a negative one only gets the length added. With three samples -4 becomes -1 and quietly gives the last sample. The learner saw that the for loop ends and did not think of the other end."""

import torch
from torch.utils.data import Dataset


class RowDataset(Dataset):
    def __init__(self, x, y):
        if x.shape[0] != y.shape[0]:
            raise ValueError("x and y need the same number of rows")
        self.x = x
        self.y = y

    def __len__(self):
        return self.x.shape[0]

    def __getitem__(self, i):
        n = len(self)
        if i >= n:
            raise IndexError(i)
        if i < 0:
            i = i + n
        return self.x[i], self.y[i]
