"""(a) Asks whether "bias" occurs anywhere in the name (e.g. "bias_scale" or "bias.weight"), not whether the name ends in it. (b) Draws in the default dtype and converts afterwards, so float64 parameters (any dtype but the default) have other numbers than a draw in that dtype."""
import torch


def make_params(
    shapes: dict[str, tuple[int, ...]],
    generator: torch.Generator,
    scale: float = 0.1,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> dict[str, torch.Tensor]:
    if dtype is None:
        dtype = torch.get_default_dtype()
    params = {}
    for name, shape in shapes.items():
        if "bias" in name:
            start = torch.zeros(shape, device="cpu")
        else:
            start = scale * torch.randn(shape, generator=generator, device="cpu")
        params[name] = start.to(device=device or "cpu", dtype=dtype).requires_grad_()
    return params
