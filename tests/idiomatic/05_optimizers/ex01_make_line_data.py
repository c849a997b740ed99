import torch


def make_line_data(n, w, b, noise, *, generator):
    X = torch.randn(n, 1, generator=generator)
    y = w * X + b + noise * torch.randn(n, 1, generator=generator)
    return X, y
