"""With noise 0 the errors are not drawn, so the generator is left in another state and the next numbers drawn from it differ."""
import torch


def make_line_data(
    n: int, w: float, b: float, noise: float, *, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    options = {"generator": generator, "device": generator.device, "dtype": torch.float32}
    X = torch.randn(n, 1, **options)
    y = w * X + b
    if noise != 0:
        y = y + noise * torch.randn(n, 1, **options)
    return X, y
