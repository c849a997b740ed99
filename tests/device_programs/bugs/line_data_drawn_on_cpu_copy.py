"""Exercise: 05_optimizers/ex01_make_line_data.
A second generator, on the CPU, is to take over the state of the first, wherever that one lives.
"""

import torch


def make_line_data(n, w, b, noise, *, generator):
    own = torch.Generator(device="cpu")
    own.set_state(generator.get_state())
    X = torch.randn(n, 1, generator=own, device="cpu")
    errors = torch.randn(n, 1, generator=own, device="cpu")
    generator.set_state(own.get_state())
    return X, w * X + b + noise * errors
