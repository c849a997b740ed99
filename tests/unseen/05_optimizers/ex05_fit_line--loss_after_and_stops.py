"""The loss is noted after the step, and the loop stops early when the loss is tiny."""
import torch


def fit_line(X, y, w0, b0, lr, epochs):
    w = w0.detach().clone().requires_grad_(True)
    b = b0.detach().clone().requires_grad_(True)
    history = []
    for epoch in range(epochs):
        loss = ((X * w + b - y) ** 2).mean()
        gw, gb = torch.autograd.grad(loss, (w, b))
        with torch.no_grad():
            w -= lr * gw
            b -= lr * gb
            history.append(((X * w + b - y) ** 2).mean().item())
        if history[-1] < 1e-12:
            break
    return w.detach(), b.detach(), history
