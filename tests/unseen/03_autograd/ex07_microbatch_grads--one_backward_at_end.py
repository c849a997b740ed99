"""All losses are added up and backward runs once at the end, so all graphs are in memory together."""
import torch


def microbatch_grads(model, loss_fn, X, Y, sizes):
    if sum(sizes) != len(X) or any(s < 1 for s in sizes):
        raise ValueError("sizes must be positive and add up to the number of rows")
    for p in model.parameters():
        p.grad = None
    # Weight each microbatch by its share of the rows, so that unequal sizes are right too.
    total = 0.0
    for xb, yb in zip(X.split(sizes), Y.split(sizes)):
        total = total + loss_fn(model(xb), yb) * (len(xb) / len(X))
    total.backward()
