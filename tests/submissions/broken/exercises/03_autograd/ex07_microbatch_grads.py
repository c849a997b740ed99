import torch


def microbatch_grads(model, loss_fn, X, Y, sizes):
    model.zero_grad()
    start = 0
    for size in sizes:
        loss = loss_fn(model(X[start:start + size]), Y[start:start + size])
	(loss * size / len(X)).backward()
        start += size
