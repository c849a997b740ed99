"""Vision bonus 3: Grad-CAM, where the features of a layer speak for a class.

Difficulty 4 of 5, about 25 minutes.
"""

import torch
from torch import nn


def grad_cam(model: nn.Module, layer: nn.Module, images: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """Return where, in each image, a layer's features raise the score of the image's class.

    A forward hook keeps the features that the layer returns. A feature's weight is the mean, over rows and columns, of the
    score's derivative with respect to it. The map is relu of the weighted sum, enlarged by F.interpolate (mode="bilinear").

    The model runs in evaluation mode, and has its old mode and hooks afterwards. Parameters, their .grad and the images don't
    change.

    Shapes:
        model(images)  (batch, scores)
        layer          runs once in the model, and returns (batch, features, rows, columns)
        images         (batch, channels, height, width), at least one
        classes        (batch,), int64: a class for each image
        result         (batch, height, width), dtype and device of images, no graph

    Example:
        >>> model = nn.Sequential(nn.Conv2d(1, 1, 1), nn.Flatten(), nn.Linear(4, 3))
        >>> grad_cam(model, model[0], torch.ones(1, 1, 2, 2), torch.tensor([2])).shape
        torch.Size([1, 2, 2])

    Pitfall:
        Without handle.remove() the hook stays, and keeps the features of each later run.

    For full marks:
        * hooks and mode are also restored if the model raises an error
        * parts of the model may have different modes: each has its own again
        * it works under torch.no_grad(), and if all parameters are frozen
    """
    raise NotImplementedError("12_vision/bonus3_grad_cam: write grad_cam()")
