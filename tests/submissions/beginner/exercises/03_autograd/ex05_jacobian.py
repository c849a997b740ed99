import torch


def jacobian(f, x):
    x = x.clone().detach().requires_grad_(True)
    y = f(x)
    J = torch.zeros(len(x), len(y))
    for i in range(len(y)):
        y[i].backward(retain_graph=True)
        J[i] = x.grad
    return J
