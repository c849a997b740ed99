"""The start of the window is drawn from 0 to 2 * padding - 1, so the last possible row and the last possible column are never chosen."""

import torch
from torch.nn import functional as F
from torch.utils.data import Dataset


class CroppedPairs(Dataset):
    def __init__(self, images, masks, padding, training):
        self.images = images
        self.masks = masks
        self.padding = padding
        self.training = training

    def __len__(self):
        return len(self.images)

    def random_start(self):
        return int(torch.rand(()).item() * 2 * self.padding)

    def __getitem__(self, i):
        picture = self.images[i]
        mask = self.masks[i]
        if not self.training:
            return picture.clone(), mask.clone()

        p = self.padding
        height, width = mask.shape
        big_picture = F.pad(picture, [p, p, p, p], value=0)
        big_mask = F.pad(mask, [p, p, p, p], value=255)

        top = self.random_start()
        left = self.random_start()
        picture = big_picture[:, top : top + height, left : left + width]
        mask = big_mask[top : top + height, left : left + width]

        if torch.rand(()).item() < 0.5:
            picture = picture.flip(2)
            mask = mask.flip(1)
        return picture.clone(), mask.clone()
