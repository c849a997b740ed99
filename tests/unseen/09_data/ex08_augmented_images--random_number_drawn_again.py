"""The random number is drawn before training is checked: reading validation items advances the generator."""
import torch
from torch.utils.data import Dataset


class AugmentedImages(Dataset):
    def __init__(self, images: torch.Tensor, labels: torch.Tensor, training: bool):
        self.images = images
        self.labels = labels
        self.training = training

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        image = self.images[i].clone()
        heads = torch.rand(()) < 0.5
        if heads and self.training:
            image = image.flip(-1)
        return image, self.labels[i]
