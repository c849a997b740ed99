"""The random numbers are drawn for every name and thrown away for the biases, so the generator advances and the weights after a bias get the wrong numbers."""
import torch


def make_params(
    shapes: dict[str, tuple[int, ...]],
    generator: torch.Generator,
    scale: float = 0.1,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> dict[str, torch.Tensor]:
    dtype = dtype or torch.get_default_dtype()
    params = {}
    for name, shape in shapes.items():
        values = scale * torch.randn(shape, generator=generator, dtype=dtype, device="cpu")
        if name.endswith("bias"):
            values = torch.zeros_like(values)
        params[name] = values.to(device or "cpu").requires_grad_()
    return params
