import torch
import torch.nn.functional as F
from torch.utils.data import Dataset


class CroppedPairs(Dataset):
    def __init__(self, images, masks, padding, training):
        self.images = images
        self.masks = masks
        self.padding = padding
        self.training = training

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image, mask = self.images[i], self.masks[i]
        if not self.training:
            return image, mask

        h, w = image.shape[-2:]
        p = self.padding
        image = F.pad(image, (p, p, p, p), value=0.0)
        mask = F.pad(mask, (p, p, p, p), value=255)

        top = torch.randint(0, 2 * p + 1, (1,)).item()
        left = torch.randint(0, 2 * p + 1, (1,)).item()
        image = image[:, top : top + h, left : left + w]
        mask = mask[top : top + h, left : left + w]

        if torch.rand(1).item() < 0.5:
            image = image.flip(-1)
            mask = mask.flip(-1)
        return image, mask
