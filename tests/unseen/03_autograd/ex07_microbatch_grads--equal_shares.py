"""Each microbatch counts the same: it divides by the number of parts. And old gradients are not cleared."""
import torch

def microbatch_grads(model, loss_fn, X, Y, sizes):
    if sum(sizes) != len(X) or min(sizes) < 1:
        raise ValueError("sizes")
    for xs, ys in zip(X.split(sizes), Y.split(sizes)):
        part = loss_fn(model(xs), ys) / len(sizes)
        part.backward()
