"""Old gradients are not cleared, and a size below 1 is not refused."""
import torch


def microbatch_grads(model, loss_fn, X, Y, sizes):
    n = X.shape[0]
    if sum(sizes) != n:
        raise ValueError(f"sizes sum to {sum(sizes)}, not {n}")
    start = 0
    for size in sizes:
        piece = slice(start, start + size)
        loss = loss_fn(model(X[piece]), Y[piece]) * (size / n)
        loss.backward()
        start += size
