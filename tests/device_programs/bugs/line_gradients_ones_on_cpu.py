"""Exercise: 05_optimizers/ex02_line_gradients.
The inputs get a column of ones that is made on the CPU.
"""

import torch


def line_gradients(w, b, X, y):
    with torch.no_grad():
        n = X.shape[0]
        A = torch.cat([X, torch.ones(n, 1, dtype=X.dtype)], dim=1)
        theta = torch.cat([w.reshape(1), b.reshape(1)])
        residual = A @ theta - y.reshape(-1)
        grad = 2 / n * (A.T @ residual)
        return grad[0].reshape(w.shape).clone(), grad[1].reshape(b.shape).clone()
