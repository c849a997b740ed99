"""X and y have the shape (n,) instead of (n, 1)."""
import torch


def make_line_data(n, w, b, noise, *, generator):
    X = torch.randn(n, generator=generator, device=generator.device)
    errors = torch.randn(n, generator=generator, device=generator.device)
    y = w * X + b + noise * errors
    return X, y
