"""All rows in one call: torch.autograd.grad with a batch of unit vectors."""
import torch


def jacobian(f, x):
    leaf = x.detach().requires_grad_()
    with torch.enable_grad():
        y = f(leaf)
    result = torch.zeros((*y.shape, *x.shape), dtype=x.dtype, device=x.device)
    if not (y.requires_grad and result.numel()):
        return result
    units = torch.eye(y.numel(), dtype=y.dtype, device=y.device).view(-1, *y.shape)
    (rows,) = torch.autograd.grad(y, leaf, units, is_grads_batched=True, allow_unused=True)
    return result if rows is None else rows.reshape(result.shape)
