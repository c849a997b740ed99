"""With noise 0 I skip the second draw. X and y are right, but the generator is one draw behind, so the next numbers from it are different."""
import torch


def make_line_data(
    n: int, w: float, b: float, noise: float, *, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    def draw():
        return torch.randn(n, 1, generator=generator, device=generator.device, dtype=torch.float32)

    X = draw()
    y = w * X + b
    if noise != 0:
        y = y + noise * draw()
    return X, y
