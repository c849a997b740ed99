"""Data 8 of 9: random horizontal flips, but only in training.

Difficulty 3 of 5, about 12 minutes.
"""

import torch
from torch.utils.data import Dataset


class AugmentedImages(Dataset):
    """Return images with their labels, mirrored at random in training.

    Shapes:
        images     (samples, channels, height, width)
        labels     (samples,)
        training   True for the training set, False for the validation set
        generator  where all random numbers come from
        data[i]    a pair: image i, (channels, height, width), and label i, a tensor of shape ()

    In training, image i is mirrored left to right (flipped horizontally) with probability 0.5: its columns come in
    reverse order. Decide again each time an item is requested, so an image may look different in the next epoch. In
    validation the image is unchanged. __init__ and __len__ are complete; write __getitem__.

    Example:
        >>> images, labels = torch.tensor([[[[1.0, 2.0]]]]), torch.tensor([7])
        >>> data = AugmentedImages(images, labels, training=False, generator=torch.Generator())
        >>> data[0]
        (tensor([[[1., 2.]]]), tensor(7))

    Pitfall:
        Mirroring in __init__ runs once. Then the model sees the same images in every epoch.

    For full marks:
        * an image from data[i] shares no memory with images: you can change it in place, and nothing else changes
        * with the same seed in generator, the same requests give the same items
        * in validation no random number is drawn, so reading the validation set doesn't change the training
    """

    def __init__(self, images: torch.Tensor, labels: torch.Tensor, training: bool, generator: torch.Generator):
        self.images = images
        self.labels = labels
        self.training = training
        self.generator = generator

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.images)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return image i, perhaps mirrored, and its label."""
        raise NotImplementedError("09_data/ex08_augmented_images: write __getitem__()")
