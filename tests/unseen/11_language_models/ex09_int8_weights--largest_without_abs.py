"""quantize_rows takes the largest number of each row, not the largest absolute value, so rows whose most extreme number is negative get too small a scale and the codes overflow."""

import torch


def quantize_rows(weight):
    biggest = weight.max(dim=1).values
    scales = biggest / 127
    # a row of zeros: any scale will do
    scales = torch.where(scales == 0, torch.ones_like(scales), scales)
    codes = torch.round(weight / scales.unsqueeze(1))
    return codes.to(torch.int8), scales


def int8_linear(x, codes, scales, bias=None, block=64):
    pieces = []
    rows = codes.shape[0]
    start = 0
    while start < rows:
        stop = min(start + block, rows)
        part = codes[start:stop].to(x.dtype)
        y = x @ part.T
        y = y * scales[start:stop]
        pieces.append(y)
        start = stop
    result = torch.cat(pieces, dim=-1)
    if bias is not None:
        result = result + bias
    return result
