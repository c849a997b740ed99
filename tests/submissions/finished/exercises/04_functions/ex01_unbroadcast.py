import torch


def _check(grad, shape):
    if len(shape) > grad.dim():
        raise ValueError(f"{tuple(shape)} has more axes than {tuple(grad.shape)}")
    # line both up from the right
    for want, have in zip(reversed(shape), reversed(grad.shape)):
        if want != 1 and want != have:
            raise ValueError(f"{tuple(shape)} does not broadcast to {tuple(grad.shape)}")


def unbroadcast(grad, shape):
    _check(grad, shape)
    added = grad.dim() - len(shape)

    # 1. axes on the left that were not there at all
    for _ in range(added):
        grad = grad.sum(dim=0)

    # 2. axes that were there with size 1
    for axis, size in enumerate(shape):
        if size == 1 and grad.shape[axis] != 1:
            grad = grad.sum(dim=axis, keepdim=True)

    assert grad.shape == torch.Size(shape)
    return grad
