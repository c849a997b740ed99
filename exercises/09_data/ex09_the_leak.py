"""Data 9 of 10: a validation set that is not what it seems.

Difficulty 3 of 5, about 12 minutes.

Symptom. Three rows are for training, one is for validation. Each label is the tens of its row.
`torchdojo symptom ex09_the_leak` runs this program

    x = torch.tensor([[1.0, 2.0], [11.0, 13.0], [21.0, 24.0], [31.0, 35.0]])
    y = torch.tensor([0, 1, 2, 3])
    train, val = prepare(x, y, val_size=1, generator=torch.Generator().manual_seed(2))
    print("shapes:", tuple(train[0].shape), tuple(val[0].shape))
    print("means of the training set:", [round(mean, 2) for mean in train[0].mean(dim=0).tolist()])
    print("training labels:", train[1].tolist(), "validation labels:", val[1].tolist())

and prints

    shapes: (7, 2) (1, 2)
    means of the training set: [-0.17, -0.21]
    training labels: [3, 1, 1, 0, 2, 3, 0] validation labels: [2]

There should be six training rows (three, and mirrored), with means 0. A mirror image of the validation row is
among them, and labels are mixed up. Repair the code below; change as little as you can.
"""

import torch

REPAIRED = False  # set to True when you have repaired the code below


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
    x = torch.cat([x, x.flip(1)])
    y = torch.cat([y, y])
    x = (x - x.mean(dim=0)) / x.std(dim=0, correction=0)
    x = x[torch.randperm(len(x), generator=generator)]
    y = y[torch.randperm(len(y), generator=generator)]
    n = len(x) - val_size
    return (x[:n], y[:n]), (x[n:], y[n:])
