"""The errors come from torch.rand, so they are uniform between 0 and 1 instead of normal."""
import torch


def make_line_data(n, w, b, noise, *, generator):
    device = generator.device
    X = torch.randn(n, 1, generator=generator, device=device, dtype=torch.float32)
    errors = torch.rand(n, 1, generator=generator, device=device, dtype=torch.float32)
    y = w * X + b + noise * errors
    return X, y
