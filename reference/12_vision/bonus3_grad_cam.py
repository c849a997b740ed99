"""Reference solution: a hook for the features, their gradient by torch.autograd.grad, and finally for what must be restored."""

import torch
from torch import nn
from torch.nn import functional as F


def grad_cam(model: nn.Module, layer: nn.Module, images: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """Return where, in each image, a layer's features raise the score of the image's class."""
    kept = []
    modes = [(module, module.training) for module in model.modules()]
    handle = layer.register_forward_hook(lambda layer, inputs, result: kept.append(result))
    try:
        model.eval()
        with torch.enable_grad():
            score = model(images.detach().requires_grad_()).gather(1, classes[:, None]).sum()
    finally:
        handle.remove()
        for module, training in modes:
            module.training = training
    (features,) = kept
    (gradient,) = torch.autograd.grad(score, features)
    weights = gradient.mean(dim=(2, 3), keepdim=True)
    maps = F.relu((weights * features.detach()).sum(dim=1, keepdim=True))
    return F.interpolate(maps, size=images.shape[2:], mode="bilinear").squeeze(1)
