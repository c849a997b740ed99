import torch


def microbatch_grads(model, loss_fn, X, Y, sizes):
    start = 0
    total_loss = 0
    for size in sizes:
        x = X[start:start + size]
        y = Y[start:start + size]
        total_loss += loss_fn(model(x), y)
        start = start + size
    total_loss = total_loss / len(sizes)
    total_loss.backward()
