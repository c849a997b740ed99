import torch


def _is_bias(name):
    return name.endswith("bias")


def _start_values(name, shape, generator, scale, dtype):
    # On the CPU first, because the generator lives there.
    if _is_bias(name):
        return torch.zeros(shape, dtype=dtype)
    return torch.randn(shape, generator=generator, dtype=dtype) * scale


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    if dtype is None:
        dtype = torch.get_default_dtype()
    if device is None:
        device = "cpu"

    params = {}
    for name, shape in shapes.items():
        values = _start_values(name, shape, generator, scale, dtype)
        values = values.to(device)
        # everything else comes before this line, so that the result is a leaf
        values.requires_grad_(True)
        assert values.is_leaf
        params[name] = values
    return params
