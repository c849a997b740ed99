import torch


def _check_sizes(sizes, rows):
    if any(size < 1 for size in sizes):
        raise ValueError(f"each microbatch needs at least one row, got sizes {sizes}")
    if sum(sizes) != rows:
        raise ValueError(f"sizes add up to {sum(sizes)}, but there are {rows} rows")


def microbatch_grads(model, loss_fn, X, Y, sizes):
    rows = X.shape[0]
    _check_sizes(sizes, rows)

    for p in model.parameters():
        p.grad = None

    start = 0
    for size in sizes:
        part = slice(start, start + size)
        prediction = model(X[part])
        loss = loss_fn(prediction, Y[part])
        # loss is the mean over `size` rows; the full loss is the mean over all of them
        share = size / rows
        (loss * share).backward()
        del prediction, loss
        start += size
