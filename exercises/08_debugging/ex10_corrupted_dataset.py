"""Debugging 10 of 10: a dataset that rewrites its own data.

Difficulty 3 of 5, about 10 minutes.

Symptom. The same item is requested three times; augmentation adds 1. `torchdojo symptom ex10_corrupted_dataset`
runs this program

    features = np.array([[1.0, 2.0], [3.0, 4.0]])
    data = AugmentedRows(features, np.array([0, 1]), augment=lambda row: row.add_(1))
    for _ in range(3):
        row, label = data[0]
        print(row.tolist(), row.dtype)
    print("the caller's array:", features.tolist())

and prints

    [2.0, 3.0] torch.float64
    [3.0, 4.0] torch.float64
    [4.0, 5.0] torch.float64
    the caller's array: [[4.0, 5.0], [3.0, 4.0]]

and a model with float32 weights refuses the rows, because they are float64. Repair the code below; change as
little as you can.
"""

import numpy as np
import torch
from torch.utils.data import Dataset

REPAIRED = False  # set to True when you have repaired the code below


class AugmentedRows(Dataset):
    """Return rows of an array as float32 tensors, each freshly augmented, with their labels.

    A Dataset is a class with two methods: len(data) calls __len__, and data[i] calls __getitem__. A DataLoader makes
    batches of what they return.

    Arguments:
        features  numpy array (samples, columns), float64 or float32, perhaps read-only or a slice of a larger array
        labels    numpy array (samples,) of integers
        augment   None, or a function from a float32 tensor (columns,) to a float32 tensor; it may change its
                  argument in place, and it may return its argument or a new tensor

    len(data) is the number of samples. data[i] is a pair (row, label):
        row    what augment returns for row i of features converted to float32, called once for each data[i];
               without augment the converted row
        label  a 0-dim integer tensor

    Each data[i] starts from the original row again. The caller's arrays are never changed.

    Example:
        >>> import numpy as np
        >>> data = AugmentedRows(np.array([[1.0, 2.0]]), np.array([7]), augment=lambda row: row.add_(1))
        >>> data[0], data[0]
        ((tensor([2., 3.]), tensor(7)), (tensor([2., 3.]), tensor(7)))

    Pitfall:
        .float() copies a float64 tensor, but for a float32 tensor it returns that same tensor, with the same memory.

    For full marks:
        * A label is int64, whatever integer dtype the array has.
        * A row shares no memory with the caller's array, with the dataset or with another row, even without
          augment: if you change it, nothing else changes. The same holds for a label, and the arrays stay
          writable.
        * i counts from the end when it is negative. Outside -samples to samples - 1 it raises IndexError, so
          `for row, label in data` ends.
        * No warning is raised, not even for read-only arrays.
        * Rows and labels are on the CPU, whatever the default device or the default dtype is.
    """

    def __init__(self, features: np.ndarray, labels: np.ndarray, augment=None):
        self.features = torch.from_numpy(features)
        self.labels = torch.from_numpy(labels)
        self.augment = augment

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return row i, augmented, and its label."""
        row = self.features[i]
        if self.augment is not None:
            row = self.augment(row)
        return row, self.labels[i]
