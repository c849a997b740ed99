"""Vision 11 of 12: a classifier that trains on pictures lying on their side.

Difficulty 4 of 5, about 25 minutes.

Symptom. A picture has a white row above a black one. `torchdojo symptom ex11_sideways_images` runs this program

    pixels = torch.zeros(1, 2, 2, 3, dtype=torch.uint8)
    pixels[:, 0] = 255
    print(prepare_images(pixels)[0, 0].tolist())
    print(list(PixelClassifier(4, 5)(torch.ones(1, 3, 6, 8)).shape))

and prints

    [[1.0, -1.0], [1.0, -1.0]]
    [5]

The row has become a column, and the scores have one axis. Another program asks a model that knows the labels

    class Sure(nn.Dropout):
        def forward(self, images):
            print("black is", images.min().item())
            return super().forward(50 * F.one_hot(labels, 3).float())

    torch.manual_seed(0)
    labels, pixels = torch.tensor([0, 1, 2, 1]), torch.zeros(4, 2, 2, 3, dtype=torch.uint8)
    print(round(pixels_loss(Sure().eval(), pixels, labels).item(), 2))
    print(pixels_accuracy(Sure(), pixels, labels))

and prints

    black is -10.0
    0.55
    black is -2.0
    0.5

Black should be -2, the loss 0, the accuracy 1. Repair the five bugs below; change as little as you can.
"""

import torch
from torch import nn
from torch.nn import functional as F

REPAIRED = False  # set to True when you have repaired the code below

MEAN, STD = (0.5, 0.5, 0.25), (0.5, 0.25, 0.25)  # of the red, green and blue of the training set


def normalize_pixels(images: torch.Tensor) -> torch.Tensor:
    """Return (images - MEAN) / STD, of images (batch, 3, height, width) from 0 to 1. This function is right."""
    mean, std = (images.new_tensor(values)[:, None, None] for values in (MEAN, STD))
    return (images - mean) / std


def prepare_images(pixels: torch.Tensor) -> torch.Tensor:
    """Return what the model reads: normalized images, made of bytes.

    Shapes:
        pixels  (batch, height, width, 3), uint8
        result  (batch, 3, height, width), float32: pixels / 255, normalized with normalize_pixels

    Example:
        >>> prepare_images(torch.full((1, 1, 1, 3), 255, dtype=torch.uint8)).flatten().tolist()
        [1.0, 2.0, 3.0]

    Pitfall:
        reshape gives the axes the right sizes, and mixes colors and positions.
    """
    return normalize_pixels(pixels.transpose(1, 3) / 255)


class PixelClassifier(nn.Module):
    """The scores (batch, classes) of normalized images, also of a batch of one image.

    A convolution makes `channels` features, and a linear layer reads the mean of each over its image. __init__ is right.
    """

    def __init__(self, channels: int, classes: int):
        super().__init__()
        self.conv = nn.Conv2d(3, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)
        self.head = nn.Linear(channels, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        features = F.relu(self.norm(self.conv(images)))
        pooled = F.adaptive_avg_pool2d(features, 1)  # (batch, channels, 1, 1)
        return self.head(pooled.squeeze())


def pixels_loss(model: nn.Module, pixels: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the mean cross entropy of a training batch, with its graph. The model stays in the mode that it is in.

    Shapes:
        pixels  (batch, height, width, 3), uint8
        labels  (batch,), int64

    model(images) reads prepared images and returns scores (batch, classes), which are any numbers: it has no softmax.
    """
    images = normalize_pixels(prepare_images(pixels))
    probabilities = model(images).softmax(dim=1)
    return F.cross_entropy(probabilities, labels)


def pixels_accuracy(model: nn.Module, pixels: torch.Tensor, labels: torch.Tensor) -> float:
    """Return the share of images whose label has the largest score. The model runs in evaluation mode, without a graph.

    The arguments are those of pixels_loss.

    For full marks:
        * afterwards each module is in the mode that it was in
    """
    with torch.no_grad():
        scores = model(prepare_images(pixels))
    return (scores.argmax(dim=1) == labels).float().mean().item()
