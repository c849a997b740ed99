import torch


def jacobian(f, x):
    """The double-backward trick: the vjp is linear in v, so its derivative along v gives columns, not rows."""
    with torch.enable_grad():
        leaf = x.clone().detach().requires_grad_()
        y = f(leaf)
        n, m = y.numel(), x.numel()
        columns = torch.zeros(m, n, dtype=x.dtype, device=x.device)
        if n * m and y.requires_grad:
            v = torch.zeros_like(y).detach().requires_grad_()
            (g,) = torch.autograd.grad(y, leaf, v, create_graph=True, allow_unused=True)
            if g is not None and g.requires_grad:
                flat = g.reshape(-1)
                for j in reversed(range(m)):
                    (column,) = torch.autograd.grad(flat[j], v, retain_graph=True, materialize_grads=True)
                    columns[j] = column.reshape(-1)
    return columns.t().contiguous().view(y.shape + x.shape)
