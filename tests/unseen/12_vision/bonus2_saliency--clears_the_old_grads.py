"""The gradients come from backward(), and the learner cleans up with model.zero_grad() before and after it. That removes what was in the .grad of the parameters before the call, for instance half of an accumulated batch. The stub says that parameters stay as they are, with their .grad."""

import torch


def saliency(model, images, classes):
    modes = [(m, m.training) for m in model.modules()]
    pixels = images.detach().clone().requires_grad_()
    model.eval()
    try:
        with torch.enable_grad():
            model.zero_grad()
            scores = model(pixels)
            score = scores[torch.arange(len(images), device=scores.device), classes].sum()
            score.backward()
            model.zero_grad()  # leave nothing behind
    finally:
        for m, mode in modes:
            m.training = mode
    return pixels.grad.abs().amax(dim=1)
