"""I toss the coin before I look whether this is training, so reading a validation item also uses up a random number."""

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
        picture = self.images[i].clone()
        label = self.labels[i]
        coin = torch.rand(1).item()
        mirror = coin < 0.5
        if self.training and mirror:
            width = picture.shape[2]
            backwards = torch.arange(width - 1, -1, -1, device=picture.device)
            picture = picture[:, :, backwards]
        return picture, label
