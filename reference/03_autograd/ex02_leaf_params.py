"""Draw, scale and move first; ask for gradients last."""

import torch


def make_params(
    shapes: dict[str, tuple[int, ...]],
    generator: torch.Generator,
    scale: float = 0.1,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> dict[str, torch.Tensor]:
    """Return one fresh leaf tensor that requires grad for each name in shapes."""
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            values = torch.zeros(shape, dtype=dtype)
        else:
            values = scale * torch.randn(shape, generator=generator, dtype=dtype)
        params[name] = values.to(device=device).requires_grad_()
    return params
