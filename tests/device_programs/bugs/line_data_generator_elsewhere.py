"""Exercise: 05_optimizers/ex01_make_line_data.
torch.randn gets the generator but not its device.
"""

import torch


def make_line_data(n, w, b, noise, *, generator):
    X = torch.randn(n, 1, generator=generator)
    errors = torch.randn(n, 1, generator=generator)
    return X, w * X + b + noise * errors
