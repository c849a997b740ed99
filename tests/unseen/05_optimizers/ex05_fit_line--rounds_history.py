"""The history holds losses that are rounded to 4 digits, and training stops early when the loss is below 1e-6."""
import torch


def fit_line(X, y, w0, b0, lr, epochs):
    w = w0.detach().clone().requires_grad_()
    b = b0.detach().clone().requires_grad_()
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(round(loss.item(), 4))
        if history[-1] < 1e-6:
            break
        gw, gb = torch.autograd.grad(loss, (w, b))
        with torch.no_grad():
            w -= lr * gw
            b -= lr * gb
    return w.detach(), b.detach(), history
