import torch


def _one_hot(shape, position, like):
    e = torch.zeros(shape, dtype=like.dtype, device=like.device).reshape(-1)
    e[position] = 1
    return e.reshape(shape)


def _row(y, leaf, position):
    """Slope of output number `position` along all of leaf."""
    upstream = _one_hot(y.shape, position, y)
    (row,) = torch.autograd.grad(y, leaf, upstream, retain_graph=True, allow_unused=True)
    if row is None:
        return torch.zeros(leaf.shape, dtype=leaf.dtype, device=leaf.device)
    return row


def jacobian(f, x):
    leaf = x.detach().clone()
    leaf.requires_grad = True
    with torch.enable_grad():
        y = f(leaf)

    result_shape = tuple(y.shape) + tuple(x.shape)
    result = torch.zeros(result_shape, dtype=x.dtype, device=x.device)
    if result.numel() == 0 or not y.requires_grad:
        return result

    table = result.reshape(y.numel(), *x.shape)
    for i in range(y.numel()):
        table[i] = _row(y, leaf, i)
    print("jacobian of shape", result_shape)
    return table.reshape(result_shape)
