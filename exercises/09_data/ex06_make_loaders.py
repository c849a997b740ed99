"""Data 6 of 10: two loaders, one that shuffles and one that doesn't.

Difficulty 2 of 5, about 10 minutes.
"""

from collections.abc import Callable

import torch
from torch.utils.data import DataLoader, Dataset


def make_loaders(
    train: Dataset,
    val: Dataset,
    batch_size: int,
    seed: int,
    collate_fn: Callable | None = None,
    drop_last: bool = False,
) -> tuple[DataLoader, DataLoader]:
    """Return a DataLoader for training and one for validation.

    Arguments:
        train, val   datasets with at least one sample each
        batch_size   the number of samples in a batch, for both loaders
        collate_fn   turns a list of samples into a batch, for both loaders; None: PyTorch's own

    The training loader shuffles, with a new order in each epoch. seed alone decides the orders: two training
    loaders with the same seed agree in every epoch, whatever else the program draws from PyTorch's global
    generator. The validation loader never shuffles. Both work in this process (num_workers=0, the default).

    Example:
        >>> train_loader, val_loader = make_loaders(list(range(6)), [10, 20, 30], batch_size=2, seed=0)
        >>> [batch.tolist() for batch in val_loader]
        [[10, 20], [30]]
        >>> sorted(torch.cat(list(train_loader)).tolist())
        [0, 1, 2, 3, 4, 5]

    Pitfall:
        torch.manual_seed(seed) is not enough. The loader draws its order when a loop over it starts, and by then other
        code may have used the global generator.

    For full marks:
        * drop_last=True leaves out the last training batch if it is smaller than batch_size. The validation loader
          never leaves out a sample.
        * the global generator has the same seed and state after the call as before
    """
    raise NotImplementedError("09_data/ex06_make_loaders: write make_loaders()")
