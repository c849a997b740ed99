"""The loss takes the log of the probability after clamping it at 1e-12, so no row can cost more than 27.6. With logits of 1000 and -1000 the loss must be 2000. The learner had inf, found the clamp in a forum, and was happy that the number is finite."""

import torch
from torch.autograd.function import once_differentiable


def probabilities(z):
    z = z - z.max(dim=1, keepdim=True).values
    z = torch.exp(z)
    return z / z.sum(dim=1, keepdim=True)


class SoftmaxCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        p = probabilities(logits)
        p_target = p[torch.arange(len(target), device=target.device), target]
        return -torch.log(p_target.clamp(min=1e-12)).mean()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        logits, target = ctx.saved_tensors
        n = logits.shape[0]
        d = probabilities(logits)  # a new tensor each time
        d[torch.arange(n, device=target.device), target] -= 1
        return d * (grad / n), None
