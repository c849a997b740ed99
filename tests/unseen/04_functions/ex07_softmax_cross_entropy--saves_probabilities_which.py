"""Saves the probabilities, which are neither an input nor the output; autograd takes them for a constant, so second derivatives are silently wrong. Recompute them in backward or use once_differentiable."""
import torch


class SoftmaxCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        z = logits - logits.amax(1, keepdim=True)
        e = z.exp()
        total = e.sum(1, keepdim=True)
        ctx.save_for_backward(e / total, target)
        picked = z.gather(1, target[:, None])
        return (total.log() - picked).mean()

    @staticmethod
    def backward(ctx, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        probs, target = ctx.saved_tensors
        hot = torch.zeros_like(probs)
        hot[torch.arange(len(target), device=target.device), target] = 1
        return (probs - hot) * grad / len(target), None
