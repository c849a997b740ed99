import torch


class SoftmaxCrossEntropy(torch.autograd.Function):
    """No softmax at all: everything is made of differences to the target's own logit.

    loss of a row = log sum_c exp(l_c - l_t), probability of c = 1 / sum_d exp(l_d - l_c).
    """

    @staticmethod
    def forward(ctx, logits, target):
        ctx.save_for_backward(logits, target)
        n = logits.shape[0]
        loss = logits.new_zeros(())
        for row, t in zip(logits.unbind(0), target.tolist()):
            d = row - row[t]
            top = d.max()
            loss = loss + top + (d - top).exp().sum().log()
        return loss / n

    @staticmethod
    def backward(ctx, grad):
        logits, target = ctx.saved_tensors
        n, c = logits.shape
        gaps = logits[:, None, :] - logits[:, :, None]  # [row, c, d] = l_d - l_c
        p = 1 / gaps.exp().sum(2)  # a sum that overflows to inf gives the probability 0, as it should
        eye = torch.eye(c, dtype=logits.dtype, device=logits.device)
        return (p - eye[target]) * (grad / n), None
