import torch


def fit_line(X, y, w0, b0, lr, epochs):
    w = w0.clone().detach().requires_grad_(True)
    b = b0.clone().detach().requires_grad_(True)
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        loss.backward()
        history.append(loss.item())
        with torch.no_grad():
            w -= lr * w.grad
            b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
    return w, b, history
