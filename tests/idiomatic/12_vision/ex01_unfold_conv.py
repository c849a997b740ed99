import torch
import torch.nn.functional as F


def conv2d_by_unfold(x, weight, bias=None, stride=1, padding=0):
    n, c, h, w = x.shape
    out_channels, _, kh, kw = weight.shape
    h_out = (h + 2 * padding - kh) // stride + 1
    w_out = (w + 2 * padding - kw) // stride + 1
    cols = F.unfold(x, kernel_size=(kh, kw), stride=stride, padding=padding)
    out = weight.view(out_channels, -1) @ cols
    if bias is not None:
        out = out + bias.view(1, -1, 1)
    return out.view(n, out_channels, h_out, w_out)
