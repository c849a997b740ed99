"""w is moved first and db is computed with the new w."""
import torch


def fit_line(X, y, w0, b0, lr, epochs):
    w = w0.detach().clone()
    b = b0.detach().clone()
    history = []
    X, y = X.detach(), y.detach()
    for _ in range(epochs):
        history.append(((w * X + b - y) ** 2).mean().item())
        w = w - lr * (2 * (w * X + b - y) * X).mean()
        b = b - lr * (2 * (w * X + b - y)).mean()
    return w, b, history
