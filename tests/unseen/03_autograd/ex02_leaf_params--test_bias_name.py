"""The test is "bias" in name instead of name.endswith("bias"): a name such as "bias_scale" or "debias.weight" gets zeros, and its draw from the generator is skipped, which also shifts the later names."""
import torch


def make_params(
    shapes: dict[str, tuple[int, ...]],
    generator: torch.Generator,
    scale: float = 0.1,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> dict[str, torch.Tensor]:
    if device is None:
        device = "cpu"
    if dtype is None:
        dtype = torch.get_default_dtype()
    params = {}
    for name, shape in shapes.items():
        if "bias" in name:
            value = torch.zeros(shape, dtype=dtype, device="cpu")
        else:
            value = scale * torch.randn(shape, generator=generator, dtype=dtype, device="cpu")
        params[name] = value.to(device).requires_grad_()
    return params
