"""Data 3 of 10: one scale for all features, taken from the training set.

Difficulty 1 of 5, about 8 minutes.
"""

import torch


def standardize_sets(train: torch.Tensor, val: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return both sets with each feature scaled by the mean and the standard deviation of the training set.

    Shapes:
        train   (n_train, features), floating point
        val     (n_val, features)
        result  (train_scaled, val_scaled), with the shapes of train and val

    For each feature: (value - mean) / std. Mean and std are those of this feature over the samples of train, for
    both sets. The standard deviation divides by n_train: use correction=0. Don't change the tensors that you get.

    Example:
        >>> train, val = torch.tensor([[1.0], [3.0]]), torch.tensor([[5.0]])
        >>> standardize_sets(train, val)
        (tensor([[-1.],
                [ 1.]]), tensor([[3.]]))

    Pitfall:
        A mean over train and val together looks harmless. But then the training set has information about the
        validation set, and the validation score is too good.

    For full marks:
        * a feature that is constant in train is only shifted, in both sets: its std counts as 1, so nothing is nan
          or inf
        * val may have no samples
    """
    raise NotImplementedError("09_data/ex03_standardize: write standardize_sets()")
