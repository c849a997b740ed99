"""A subclass of PyTorch's TensorDataset."""
from torch.utils.data import TensorDataset


class RowDataset(TensorDataset):
    def __init__(self, x, y):
        if len(x) != len(y):
            raise ValueError(f"{len(x)} rows and {len(y)} labels")
        super().__init__(x, y)
