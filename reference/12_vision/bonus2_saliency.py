"""Reference solution: torch.autograd.grad of the sum of all images' scores."""

import torch
from torch import nn


def saliency(model: nn.Module, images: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """Return for each pixel how strongly the score of the image's class depends on it."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    with torch.enable_grad():
        x = images.detach().requires_grad_()
        scores = model(x).gather(1, classes[:, None])
        (gradient,) = torch.autograd.grad(scores.sum(), x)
    for module, training in modes:
        module.training = training
    return gradient.abs().amax(dim=1)
