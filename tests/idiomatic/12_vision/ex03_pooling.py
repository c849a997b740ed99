import torch
import torch.nn.functional as F


def max_pool(x, kernel, stride=None, padding=0):
    stride = stride or kernel
    n, c, h, w = x.shape
    xp = F.pad(x, (padding, padding, padding, padding), value=float("-inf"))
    patches = xp.unfold(2, kernel, stride).unfold(3, kernel, stride)
    oh, ow = patches.shape[2:4]
    values, idx = patches.reshape(n, c, oh, ow, -1).max(dim=-1)
    rows = torch.arange(oh, device=x.device).view(-1, 1) * stride - padding + idx // kernel
    cols = torch.arange(ow, device=x.device).view(1, -1) * stride - padding + idx % kernel
    return values, rows * w + cols


def average_pool(x, kernel, stride=None, padding=0, count_include_pad=True):
    stride = stride or kernel
    pad = (padding, padding, padding, padding)
    total = F.pad(x, pad).unfold(2, kernel, stride).unfold(3, kernel, stride).sum(dim=(-1, -2))
    if count_include_pad:
        return total / (kernel * kernel)
    count = F.pad(torch.ones_like(x), pad).unfold(2, kernel, stride).unfold(3, kernel, stride).sum(dim=(-1, -2))
    return total / count
