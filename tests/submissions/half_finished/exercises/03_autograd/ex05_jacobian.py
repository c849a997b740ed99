import torch


def jacobian(f, x):
    x = x.detach().requires_grad_()
    with torch.enable_grad():
        y = f(x)
        outputs = y.reshape(-1).unbind() if y.requires_grad else []
    rows = []
    for yi in outputs:
        rows.append(torch.autograd.grad(yi, x, retain_graph=True, materialize_grads=True)[0])
    if not rows:
        return torch.zeros(y.shape + x.shape, dtype=x.dtype, device=x.device)
    return torch.stack(rows).reshape(y.shape + x.shape)
