"""(a) The errors are drawn before X, so from the same generator X gets the numbers of the errors and vice versa. (b) If noise is 0 I draw no errors at all, so the generator is left in another state than it should be."""
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
