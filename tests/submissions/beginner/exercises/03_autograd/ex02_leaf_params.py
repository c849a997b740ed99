import torch


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    params = {}
    for name in shapes:
        if name.endswith("bias"):
            params[name] = torch.zeros(shapes[name], dtype=dtype, device=device, requires_grad=True)
        else:
            params[name] = torch.randn(shapes[name], generator=generator, dtype=dtype, requires_grad=True) * scale
            params[name] = params[name].to(device)
    return params
