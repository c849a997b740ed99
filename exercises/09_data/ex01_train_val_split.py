"""Data 1 of 10: split samples into a training set and a validation set.

Difficulty 1 of 5, about 5 minutes.
"""

import torch


def train_val_split(
    x: torch.Tensor, y: torch.Tensor, order: torch.Tensor, val_size: int
) -> tuple[tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, torch.Tensor]]:
    """Return the training set and the validation set, each a pair of samples and labels.

    Shapes:
        x         (samples, features)
        y         (samples,), the label of each row of x
        order     (samples,), int64, each number from 0 to samples - 1 once
        val_size  how many samples are for validation
        result    ((x_train, y_train), (x_val, y_val))

    The last val_size entries of order are the indices of the validation samples. All entries before them are the
    indices of the training samples. Both sets keep the sequence of order, and each row keeps its label.

    Example:
        >>> x, y = torch.tensor([[0.0], [10.0], [20.0]]), torch.tensor([0, 1, 2])
        >>> train, val = train_val_split(x, y, torch.tensor([2, 0, 1]), 1)
        >>> train
        (tensor([[20.],
                [ 0.]]), tensor([2, 0]))
        >>> val
        (tensor([[10.]]), tensor([1]))

    Pitfall:
        Use one order for both tensors. If x and y are shuffled separately, every label belongs to another sample.

    For full marks:
        * val_size may be 0: all samples are for training, and x_val has shape (0, features)
        * val_size may be samples: x_train has shape (0, features)
        * a val_size below 0 or above samples raises ValueError
    """
    raise NotImplementedError("09_data/ex01_train_val_split: write train_val_split()")
