"""X and the errors come from one randn call for 2 * n numbers instead of two calls for n."""
import torch


def make_line_data(n, w, b, noise, *, generator):
    draws = torch.randn(2, n, 1, generator=generator, device=generator.device, dtype=torch.float32)
    X, errors = draws[0], draws[1]
    y = w * X + b + noise * errors
    return X, y
