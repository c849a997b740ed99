import torch
import torch.nn.functional as F


class Convolution(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride, padding):
        n, c, h, w = x.shape
        o, _, kh, kw = weight.shape
        h_out = (h + 2 * padding - kh) // stride + 1
        w_out = (w + 2 * padding - kw) // stride + 1
        cols = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        ctx.save_for_backward(cols, weight)
        ctx.x_shape = x.shape
        ctx.stride = stride
        ctx.padding = padding
        out = weight.view(o, -1) @ cols + bias.view(1, -1, 1)
        return out.view(n, o, h_out, w_out)

    @staticmethod
    def backward(ctx, grad):
        cols, weight = ctx.saved_tensors
        o, _, kh, kw = weight.shape
        g = grad.reshape(grad.shape[0], o, -1)
        grad_bias = g.sum(dim=(0, 2))
        grad_weight = torch.einsum("nol,nkl->ok", g, cols).reshape(weight.shape)
        grad_cols = weight.reshape(o, -1).t() @ g
        grad_x = F.fold(grad_cols, ctx.x_shape[2:], (kh, kw), stride=ctx.stride, padding=ctx.padding)
        return grad_x, grad_weight, grad_bias, None, None
