"""The errors are skipped when noise is 0, so the generator is left in another state; the errors are multiplied by the square of noise."""
import torch


def make_line_data(n, w, b, noise, *, generator):
    X = torch.randn((n, 1), generator=generator, device=generator.device)
    y = w * X + b
    if noise:
        y += torch.randn((n, 1), generator=generator, device=generator.device) * noise ** 2
    return X, y
