"""Exercise: 04_functions/ex07_softmax_cross_entropy.
backward builds the one-hot rows from an identity matrix on the CPU.
"""

import torch
from torch.autograd.function import once_differentiable


def log_probabilities(logits):
    shifted = logits - logits.amax(dim=1, keepdim=True)
    return shifted - shifted.exp().sum(dim=1, keepdim=True).log()


class SoftmaxCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        return -log_probabilities(logits).gather(1, target[:, None]).mean()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        logits, target = ctx.saved_tensors
        one_hot = torch.eye(logits.shape[1], dtype=logits.dtype)[target]
        return (log_probabilities(logits).exp() - one_hot) * grad / len(target), None
