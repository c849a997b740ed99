"""Exercise: 05_optimizers/ex01_make_line_data.
Both draws are made on the device of the generator.
"""

import torch


def make_line_data(n, w, b, noise, *, generator):
    X = torch.randn((n, 1), generator=generator, device=generator.device)
    errors = torch.randn((n, 1), generator=generator, device=generator.device)
    return X, w * X + b + noise * errors
