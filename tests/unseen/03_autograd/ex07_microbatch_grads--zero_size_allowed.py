"""The check refuses negative sizes only, so a microbatch of 0 rows gets through and the model is called on no rows. Its gradient is multiplied by 0, so often nothing shows. The stub wants a ValueError for every size that is less than 1, before anything is called."""

import torch


def microbatch_grads(model, loss_fn, X, Y, sizes):
    rows = X.shape[0]
    if sum(sizes) != rows or min(sizes, default=0) < 0:
        raise ValueError("sizes must be positive and add up to the number of rows")

    for p in model.parameters():
        p.grad = None

    start = 0
    for size in sizes:
        stop = start + size
        loss = loss_fn(model(X[start:stop]), Y[start:stop])
        # the mean over `size` rows counts size / rows in the mean over all rows
        (loss * (size / rows)).backward()
        start = stop
