import torch


def unbroadcast(grad, shape):
    # Recursion on the last axis.
    shape = tuple(shape)
    if shape == tuple(grad.shape):
        return grad
    if len(shape) > len(grad.shape):
        raise ValueError("too many axes: %s" % (shape,))
    if not shape:
        return grad.sum()
    if shape[-1] not in (1, grad.shape[-1]):
        raise ValueError("%s does not fit %s" % (shape, tuple(grad.shape)))
    if shape[-1] == 1:
        return unbroadcast(grad.sum(-1), shape[:-1])[..., None]
    # keep the last axis by moving it to the front: one call for each of its entries
    parts = [unbroadcast(part, shape[:-1]) for part in grad.unbind(-1)]
    if not parts:
        fake = unbroadcast(grad.sum(-1), shape[:-1])
        return fake[..., None].expand(*fake.shape, 1)[..., :0]
    return torch.stack(parts, -1)
