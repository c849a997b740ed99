"""Vision bonus 2: saliency, which pixels the score of a class depends on.

Difficulty 3 of 5, about 15 minutes.
"""

import torch
from torch import nn


def saliency(model: nn.Module, images: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """Return for each pixel how strongly the score of the image's class depends on it.

    The score has a derivative with respect to each channel of a pixel. Return the largest of their absolute values.

    The model runs in evaluation mode and has its old mode afterwards. Its parameters and buffers, and the images, stay as they
    are, with their .grad and requires_grad.

    Shapes:
        model(images)  (batch, scores), one score for each class
        images         (batch, channels, height, width), floating point, at least one image
        classes        (batch,), int64: a class for each image
        result         (batch, height, width), dtype and device of images, no graph attached

    Example:
        >>> model = nn.Sequential(nn.Flatten(), nn.Linear(6, 4))
        >>> model[1].weight.data[3] = torch.tensor([1.0, -4.0, 0.0, -2.0, 3.0, 0.5])
        >>> saliency(model, torch.ones(1, 2, 1, 3), torch.tensor([3]))
        tensor([[[2.0000, 4.0000, 0.5000]]])

    Pitfall:
        backward() fills the .grad of parameters, too, and the next step of an optimizer uses it.

    For full marks:
        * parts of the model may have different modes: each has its own again
        * it works under torch.no_grad()
    """
    raise NotImplementedError("12_vision/bonus2_saliency: write saliency()")
