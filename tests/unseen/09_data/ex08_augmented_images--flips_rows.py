"""flip(1) mirrors top to bottom, not left to right."""
import torch
from torch.utils.data import Dataset


class AugmentedImages(Dataset):
    def __init__(self, images, labels, training):
        self.images = images
        self.labels = labels
        self.training = training

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i].clone()
        if self.training and torch.rand(()) < 0.5:
            image = image.flip(1)
        return image, self.labels[i]
