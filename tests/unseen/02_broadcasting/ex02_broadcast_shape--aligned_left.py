"""Shorter shapes are padded with ones at the right, so shapes are aligned at the left."""


def broadcast_shape(*shapes):
    shapes = [tuple(s) for s in shapes]
    ndim = max((len(s) for s in shapes), default=0)
    padded = [s + (1,) * (ndim - len(s)) for s in shapes]
    out = [1] * ndim
    for k in range(1, ndim + 1):
        for s in padded:
            size = s[-k]
            if size == 1 or size == out[-k]:
                continue
            if out[-k] != 1:
                raise ValueError(f"sizes {out[-k]} and {size} don't fit in axis -{k}")
            out[-k] = size
    return tuple(out)
