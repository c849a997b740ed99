import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = True

MEAN, STD = (0.5, 0.5, 0.25), (0.5, 0.25, 0.25)


def normalize_pixels(images: torch.Tensor) -> torch.Tensor:
    mean, std = (images.new_tensor(values)[:, None, None] for values in (MEAN, STD))
    return (images - mean) / std


def prepare_images(pixels: torch.Tensor) -> torch.Tensor:
    return normalize_pixels(pixels.permute(0, 3, 1, 2).float() / 255)


class PixelClassifier(nn.Module):

    def __init__(self, channels: int, classes: int):
        super().__init__()
        self.conv = nn.Conv2d(3, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)
        self.head = nn.Linear(channels, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        features = F.relu(self.norm(self.conv(images)))
        pooled = F.adaptive_avg_pool2d(features, 1)
        return self.head(pooled.flatten(1))


def pixels_loss(model: nn.Module, pixels: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    logits = model(prepare_images(pixels))
    return F.cross_entropy(logits, labels)


def pixels_accuracy(model: nn.Module, pixels: torch.Tensor, labels: torch.Tensor) -> float:
    was_training = {m: m.training for m in model.modules()}
    model.eval()
    with torch.no_grad():
        scores = model(prepare_images(pixels))
    for m, mode in was_training.items():
        m.training = mode
    return (scores.argmax(dim=1) == labels).float().mean().item()
