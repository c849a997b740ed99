"""Reference solution: three random numbers, used for both."""

import torch
from torch.nn import functional as F
from torch.utils.data import Dataset


class CroppedPairs(Dataset):
    """Return images with their masks, cropped and mirrored at random in training."""

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
        image, mask = self.images[i], self.masks[i]
        if not self.training:
            return image.clone(), mask.clone()
        height, width = mask.shape
        top, left = torch.randint(2 * self.padding + 1, (2,)).tolist()
        mirrored = torch.rand(()) < 0.5
        results = []
        for values, filling in ((image, 0), (mask, 255)):
            padded = F.pad(values, [self.padding] * 4, value=filling)
            window = padded[..., top : top + height, left : left + width]
            results.append(window.flip(-1) if mirrored else window.clone())
        return results[0], results[1]
