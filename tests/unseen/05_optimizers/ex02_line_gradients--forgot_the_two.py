"""The factor 2 of the square is missing."""
import torch


def line_gradients(w, b, X, y):
    with torch.no_grad():
        X = X.reshape(-1)
        y = y.reshape(-1)
        error = w * X + b - y
        dw = (error * X).mean().reshape(w.shape)
        db = error.mean().reshape(b.shape)
    return dw, db
