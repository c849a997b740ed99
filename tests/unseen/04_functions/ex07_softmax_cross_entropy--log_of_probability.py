"""log of a probability that became zero is -inf."""
import torch
from torch.autograd.function import once_differentiable


class SoftmaxCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        exps = torch.exp(logits - logits.amax(1, keepdim=True))
        probs = exps / exps.sum(1, keepdim=True)
        ctx.save_for_backward(logits, target)
        picked = probs.gather(1, target.unsqueeze(1)).squeeze(1)
        return -torch.log(picked).mean()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        logits, target = ctx.saved_tensors
        exps = torch.exp(logits - logits.amax(1, keepdim=True))
        probs = exps / exps.sum(1, keepdim=True)
        onehot = torch.zeros_like(probs).scatter_(1, target.unsqueeze(1), 1.0)
        return (probs - onehot) * grad / logits.shape[0], None
