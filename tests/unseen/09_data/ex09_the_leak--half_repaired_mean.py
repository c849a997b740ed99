"""Half repaired: mean and std are computed from the training rows before their mirror images are added."""
import torch

REPAIRED = True


def prepare(
    x: torch.Tensor, y: torch.Tensor, val_size: int, generator: torch.Generator
) -> tuple[tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]:
    """Split the samples, augment the training set, and scale both sets.

    Shapes:
        x         (samples, features), floating point
        y         (samples,), int64, the label of each row
        val_size  from 1 to samples - 1
        x_train   (2 * (samples - val_size), features)
        y_train   (2 * (samples - val_size),)
        x_val     (val_size, features)
        y_val     (val_size,)
        result    ((x_train, y_train), (x_val, y_val))

    In these steps:
        1. The order is torch.randperm(samples, generator=generator), drawn once.
        2. The last val_size indices of the order are the validation set, the others the training set.
        3. The training set is followed by its mirror images: the same rows in the same order, with their columns
           in reverse, and with the same labels.
        4. Both sets are scaled with mean and std (correction=0) of each column of the training set, mirror images
           included. No column is constant.

    The tensors x and y are not changed.

    Example:
        >>> x, y = torch.tensor([[0.0, 4.0], [8.0, 4.0]]), torch.tensor([0, 1])
        >>> train, val = prepare(x, y, 1, torch.Generator().manual_seed(0))
        >>> len(train[0]), len(val[0])
        (2, 1)

    Pitfall:
        A copy of a sample, mirrored or not, belongs to the set of its original. So split first.
    """
    order = torch.randperm(len(x), generator=generator)
    x, y = x[order], y[order]
    n = len(x) - val_size
    # the scale of the training set only
    x = (x - x[:n].mean(dim=0)) / x[:n].std(dim=0, correction=0)
    x_train = torch.cat([x[:n], x[:n].flip(1)])
    y_train = torch.cat([y[:n], y[:n]])
    return (x_train, y_train), (x[n:], y[n:])
