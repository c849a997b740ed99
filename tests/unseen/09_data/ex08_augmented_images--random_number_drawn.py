"""The random number is drawn before training is looked at, so each validation item also draws one and moves the generator on."""
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
        mirrored = torch.rand(()).item() < 0.5
        if self.training and mirrored:
            image = image.flip(-1)
        return image, self.labels[i]
