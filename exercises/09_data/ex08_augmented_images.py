"""Data 8 of 10: random horizontal flips, but only in training.

Difficulty 3 of 5, about 12 minutes.
"""

import torch
from torch.utils.data import Dataset


class AugmentedImages(Dataset):
    """Return images with their labels, mirrored at random in training.

    Shapes:
        images    (samples, channels, height, width)
        labels    (samples,)
        training  True for the training set, False for the validation set
        data[i]   a pair: image i, (channels, height, width), and label i, a tensor of shape ()

    In training, image i is mirrored left to right (flipped horizontally) with probability 0.5: its columns come in
    reverse order. Decide again each time an item is requested, so an image may look different in the next epoch. In a
    DataLoader with workers this holds too: two workers, and two epochs of one worker, decide independently. In
    validation the image is unchanged. __init__ and __len__ are complete; write __getitem__.

    Example:
        >>> images, labels = torch.tensor([[[[1.0, 2.0]]]]), torch.tensor([7])
        >>> data = AugmentedImages(images, labels, training=False)
        >>> data[0]
        (tensor([[[1., 2.]]]), tensor(7))

    Pitfall:
        A torch.Generator in the dataset is copied into every worker. Then all workers decide alike, and new workers
        decide as those of the last epoch did. Draw from the global generator, which a loader seeds in each worker.

    For full marks:
        * an image from data[i] shares no memory with images: you can change it in place, and nothing else changes
        * after the same torch.manual_seed, the same requests give the same items
        * in validation no random number is drawn, so reading the validation set doesn't change the training
    """

    def __init__(self, images: torch.Tensor, labels: torch.Tensor, training: bool):
        self.images = images
        self.labels = labels
        self.training = training

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.images)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return image i, perhaps mirrored, and its label."""
        raise NotImplementedError("09_data/ex08_augmented_images: write __getitem__()")
