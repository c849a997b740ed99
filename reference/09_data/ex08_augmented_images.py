"""Reference solution: a coin for each item, thrown when it is asked for."""

import torch
from torch.utils.data import Dataset


class AugmentedImages(Dataset):
    """Return images with their labels, mirrored at random in training."""

    def __init__(self, images: torch.Tensor, labels: torch.Tensor, training: bool):
        self.images = images
        self.labels = labels
        self.training = training

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.images)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return image i, perhaps mirrored, and its label."""
        image = self.images[i]
        if self.training and torch.rand(()) < 0.5:
            return image.flip(-1), self.labels[i]
        return image.clone(), self.labels[i]
