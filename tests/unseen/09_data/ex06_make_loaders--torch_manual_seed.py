"""(a) torch.manual_seed(seed) returns the global generator: the call reseeds it, and the orders depend on what else draws from it. Make a torch.Generator(). (b) drop_last also goes to the validation loader, which then leaves out samples."""
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
        collate_fn   what makes a batch of a list of samples, for both loaders; None: PyTorch's own

    The training loader shuffles, with another order in each epoch. seed alone decides the orders: two training
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
    generator = torch.manual_seed(seed)
    common = {"batch_size": batch_size, "collate_fn": collate_fn, "drop_last": drop_last}
    train_loader = DataLoader(train, shuffle=True, generator=generator, **common)
    val_loader = DataLoader(val, shuffle=False, **common)
    return train_loader, val_loader
