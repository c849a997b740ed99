"""The errors are drawn before X."""
import torch

def make_line_data(n, w, b, noise, *, generator):
    errors = torch.randn(n, 1, generator=generator, device=generator.device)
    X = torch.randn(n, 1, generator=generator, device=generator.device)
    return X, w * X + b + noise * errors
