import torch


def grad_history(fs, x0, *, zero):
    x = torch.tensor(x0, requires_grad=True, dtype=torch.float64)
    grads = []
    for f in fs:
        y = f(x)
        y.backward()
        grads.append(x.grad)
        if zero == True:
            x.grad.zero_()
    return grads
