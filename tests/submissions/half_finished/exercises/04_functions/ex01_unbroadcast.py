import torch


def unbroadcast(grad, shape):
    shape = tuple(shape)
    extra = grad.dim() - len(shape)
    if extra < 0 or any(s not in (1, g) for s, g in zip(shape, grad.shape[extra:])):
        raise ValueError(f"{shape} does not broadcast to {tuple(grad.shape)}")
    axes = list(range(extra)) + [i + extra for i, s in enumerate(shape) if s == 1]
    if axes:
        grad = grad.sum(axes, keepdim=True)
    return grad.reshape(shape)
