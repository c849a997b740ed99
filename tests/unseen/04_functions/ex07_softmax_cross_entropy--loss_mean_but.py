"""The loss is a mean, but backward does not divide by the batch: the gradient of logits is batch times too large."""
import torch
from torch.autograd.function import once_differentiable


class SoftmaxCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(logits, target)
        z = logits - logits.max(dim=1, keepdim=True).values
        log_total = z.exp().sum(dim=1).log()
        picked = z.gather(1, target[:, None]).squeeze(1)
        return (log_total - picked).mean()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        logits, target = ctx.saved_tensors
        e = torch.exp(logits - logits.max(dim=1, keepdim=True).values)
        p = e / e.sum(dim=1, keepdim=True)
        classes = torch.arange(logits.shape[1], device=logits.device)
        hot = (classes == target[:, None]).to(p.dtype)
        return (p - hot) * grad, None
