"""In each epoch w is moved first, and the error for the gradient of b is computed again with the new w. The two gradients then belong to different points. The fit still converges to the same line, so the learner sees only a good result."""

import torch


def fit_line(X, y, w0, b0, lr, epochs):
    w = w0.detach().clone()
    b = b0.detach().clone()
    X = X.detach()
    y = y.detach()
    n = X.shape[0]
    history = []

    for _ in range(epochs):
        err = X * w + b - y
        history.append(((err**2).sum() / n).item())

        dw = 2 * (err * X).sum() / n
        w = w - lr * dw

        err = X * w + b - y
        db = 2 * err.sum() / n
        b = b - lr * db

    return w, b, history
