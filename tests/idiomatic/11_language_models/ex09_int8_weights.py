import torch


def quantize_rows(weight):
    scales = weight.abs().amax(dim=1) / 127
    safe = scales.clamp(min=1e-12)
    codes = torch.round(weight / safe.unsqueeze(1)).clamp(-127, 127).to(torch.int8)
    return codes, scales


def int8_linear(x, codes, scales, bias=None, block=64):
    outputs = []
    for start in range(0, codes.shape[0], block):
        part = codes[start : start + block].to(x.dtype)
        outputs.append(x @ part.T)
    y = torch.cat(outputs, dim=-1) * scales
    if bias is not None:
        y = y + bias
    return y
