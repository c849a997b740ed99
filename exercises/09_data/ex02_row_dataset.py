"""Data 2 of 10: a Dataset over two tensors.

Difficulty 1 of 5, about 5 minutes.
"""

import torch
from torch.utils.data import Dataset


class RowDataset(Dataset):
    """Return the rows of x, each with its label.

    Shapes:
        x        (samples, features)
        y        (samples,), the label of each row
        data[i]  a pair: row i of x, shape (features,), and label i of y, a tensor of shape ()

    len(data) is the number of samples. Write all three methods. Keep x and y in __init__; the other methods use
    them.

    Example:
        >>> data = RowDataset(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([7, 8]))
        >>> len(data)
        2
        >>> data[1]
        (tensor([3., 4.]), tensor(8))

    Pitfall:
        len(x) counts rows. x.shape[1] counts features, and x.numel() counts numbers.

    For full marks:
        * a negative i counts from the end: data[-1] is the last sample
        * an i outside -samples to samples - 1 raises IndexError, so `for row, label in data` ends
        * x and y with different numbers of rows raise ValueError when the dataset is made
    """

    def __init__(self, x: torch.Tensor, y: torch.Tensor):
        raise NotImplementedError("09_data/ex02_row_dataset: write __init__()")

    def __len__(self) -> int:
        """Return the number of samples."""
        raise NotImplementedError("09_data/ex02_row_dataset: write __len__()")

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return row i and its label."""
        raise NotImplementedError("09_data/ex02_row_dataset: write __getitem__()")
