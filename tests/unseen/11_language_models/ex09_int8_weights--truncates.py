"""The codes are cut off instead of rounded."""
import torch


def quantize_rows(weight):
    scales = weight.abs().amax(dim=1) / 127
    codes = (weight / scales[:, None]).clamp(-127, 127).to(torch.int8)
    return codes, scales


def int8_linear(x, codes, scales, bias=None, block=64):
    parts = []
    for start in range(0, len(codes), block):
        w = codes[start : start + block].to(x.dtype) * scales[start : start + block, None]
        parts.append(x @ w.T)
    y = torch.cat(parts, dim=-1)
    return y if bias is None else y + bias
