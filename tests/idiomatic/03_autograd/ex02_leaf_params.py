import torch


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            p = torch.zeros(shape, dtype=dtype, device=device)
        else:
            p = scale * torch.randn(shape, generator=generator, dtype=dtype, device=device)
        params[name] = p.requires_grad_()
    return params
