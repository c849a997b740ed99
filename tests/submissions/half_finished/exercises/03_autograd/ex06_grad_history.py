import torch


def grad_history(fs, x0, *, zero):
    x = torch.tensor(float(x0), dtype=torch.float64, requires_grad=True)
    history = []
    for f in fs:
        y = f(x)
        y.backward()
        # zero it here?
        # what if f returns a number?
        # continue here tomorrow
