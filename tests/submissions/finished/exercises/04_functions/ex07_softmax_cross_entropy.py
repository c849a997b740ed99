import torch
from torch.autograd.function import once_differentiable


def _shifted(logits):
    return logits - logits.amax(dim=1, keepdim=True)


class SoftmaxCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        z = _shifted(logits)
        log_total = torch.log(torch.exp(z).sum(dim=1))
        right = z.gather(1, target.unsqueeze(1)).squeeze(1)
        return (log_total - right).mean()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        logits, target = ctx.saved_tensors
        e = torch.exp(_shifted(logits))
        p = e / e.sum(dim=1, keepdim=True)
        hot = torch.zeros_like(p)
        hot.scatter_(1, target.unsqueeze(1), 1.0)
        batch = logits.shape[0]
        return (p - hot) * grad / batch, None
