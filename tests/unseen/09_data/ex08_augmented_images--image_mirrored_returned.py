"""(a) An image that is not mirrored is returned as a view of self.images: an in-place change reaches the dataset. (b) The random number is drawn before the question whether it is training, so validation draws too."""
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
        image, label = self.images[i], self.labels[i]
        heads = torch.rand(()) < 0.5
        if self.training and heads:
            image = image.flip(-1)
        return image, label
