import torch


def grad_history(fs, x0, *, zero):
    x = torch.tensor(float(x0), dtype=torch.float64, requires_grad=True)
    history = []

    with torch.enable_grad():
        for f in fs:
            if zero:
                x.grad = None  # before the pass, not after
            y = f(x)
            learns = isinstance(y, torch.Tensor) and y.requires_grad
            if learns:
                y.backward()
            # the number, not the tensor: the tensor changes later
            history.append(0.0 if x.grad is None else float(x.grad))
            print(f"after {getattr(f, '__name__', 'f')}: {history[-1]}")

    return history
