"""(a) 1e-8 is added to each std instead of counting a std of 0 as 1: a feature that is constant in train is divided by 1e-8 in val, which gives huge numbers. (b) Both tensors are changed in place, and the caller's tensors with them."""
import torch


def standardize_sets(train: torch.Tensor, val: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    mean = train.mean(dim=0)
    std = train.std(dim=0, correction=0) + 1e-8
    for data in (train, val):
        data -= mean
        data /= std
    return train, val
