"""Reference solution: channels to the front alone, one normalization, flatten, scores as they are, and evaluation mode."""

import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = True

MEAN, STD = (0.5, 0.5, 0.25), (0.5, 0.25, 0.25)  # of the red, green and blue of the training set


def normalize_pixels(images: torch.Tensor) -> torch.Tensor:
    """Return (images - MEAN) / STD, of images (batch, 3, height, width) from 0 to 1. This function is right."""
    mean, std = (images.new_tensor(values)[:, None, None] for values in (MEAN, STD))
    return (images - mean) / std


def prepare_images(pixels: torch.Tensor) -> torch.Tensor:
    """Return what the model reads: normalized images, made of bytes."""
    return normalize_pixels(pixels.permute(0, 3, 1, 2) / 255)


class PixelClassifier(nn.Module):
    """The scores (batch, classes) of normalized images, also of a batch of one image."""

    def __init__(self, channels: int, classes: int):
        super().__init__()
        self.conv = nn.Conv2d(3, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)
        self.head = nn.Linear(channels, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        features = F.relu(self.norm(self.conv(images)))
        pooled = F.adaptive_avg_pool2d(features, 1)  # (batch, channels, 1, 1)
        return self.head(pooled.flatten(1))


def pixels_loss(model: nn.Module, pixels: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy of a training batch, with its graph. The model stays in the mode that it is in."""
    images = prepare_images(pixels)
    scores = model(images)
    return F.cross_entropy(scores, labels)


def pixels_accuracy(model: nn.Module, pixels: torch.Tensor, labels: torch.Tensor) -> float:
    """Return the share of images whose label has the largest score. The model runs in evaluation mode, without a graph."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    with torch.no_grad():
        scores = model(prepare_images(pixels))
    for module, training in modes:
        module.training = training
    return (scores.argmax(dim=1) == labels).float().mean().item()
