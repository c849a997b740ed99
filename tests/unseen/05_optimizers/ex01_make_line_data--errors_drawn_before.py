"""(a) The errors are drawn before X, so X gets the random numbers meant for the errors, and the errors get those meant for X. (b) With noise 0 no errors are drawn, so the generator ends in a different state."""
import torch


def make_line_data(
    n: int, w: float, b: float, noise: float, *, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    device = generator.device
    if noise == 0:
        errors = torch.zeros(n, 1, device=device, dtype=torch.float32)
    else:
        errors = torch.randn(n, 1, generator=generator, device=device, dtype=torch.float32)
    X = torch.randn(n, 1, generator=generator, device=device, dtype=torch.float32)
    return X, w * X + b + noise * errors
