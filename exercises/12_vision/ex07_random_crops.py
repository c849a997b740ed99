"""Vision 7 of 12: random crops, of an image and of its mask alike.

Difficulty 3 of 5, about 20 minutes.
"""

import torch
from torch.nn import functional as F
from torch.utils.data import Dataset


class CroppedPairs(Dataset):
    """Return images with their masks, cropped and mirrored at random in training.

    Shapes:
        images   (samples, channels, height, width), floating point
        masks    (samples, height, width), int64: the class of each pixel
        data[i]  a pair: image i, (channels, height, width), and its mask, (height, width)

    In training, image i is padded with zeros on all four sides, and its mask with 255. A window of the old size is cut out: each
    of the 2 * padding + 1 rows and columns where it may start is equally likely. With probability 0.5 it is mirrored left to
    right. Each request draws new numbers, and the workers of a DataLoader draw independently. In validation the pair is unchanged.
    __init__ and __len__ are complete.

    Example:
        >>> data = CroppedPairs(torch.ones(2, 3, 4, 5), torch.ones(2, 4, 5, dtype=torch.int64), padding=1, training=True)
        >>> [part.shape for part in data[1]]
        [torch.Size([3, 4, 5]), torch.Size([4, 5])]

    Pitfall:
        Image and mask need the same window, mirrored alike. With random numbers of their own, they no longer fit.

    For full marks:
        * what data[i] returns shares no memory with images and masks
        * after the same torch.manual_seed, the same requests give the same pairs
    """

    def __init__(self, images: torch.Tensor, masks: torch.Tensor, padding: int, training: bool):
        self.images = images
        self.masks = masks
        self.padding = padding
        self.training = training

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.images)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the pair i."""
        raise NotImplementedError("12_vision/ex07_random_crops: write __getitem__()")
