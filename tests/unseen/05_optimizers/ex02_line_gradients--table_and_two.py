"""y of shape (n,) makes a table; and the factor 2 is missing."""
import torch

def line_gradients(w, b, X, y):
    with torch.no_grad():
        r = w * X + b - y
        dw = (r * X).mean()
        db = r.mean()
    return dw.reshape(w.shape), db.reshape(b.shape)
