import torch


def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
    out = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            t = torch.zeros(shape, dtype=dtype)
        else:
            t = scale * torch.randn(shape, generator=generator, dtype=dtype)
        out[name] = t.to(device or "cpu").requires_grad_()
    return out
