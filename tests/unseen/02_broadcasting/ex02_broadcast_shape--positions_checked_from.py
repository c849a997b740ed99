"""The positions are checked from left to right, so the error names the leftmost position that fails: "axis -2" for (3, 4) and (2, 3)."""
def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    ndim = max((len(s) for s in shapes), default=0)
    padded = [[1] * (ndim - len(s)) + list(s) for s in shapes]
    result = []
    for position in range(ndim):
        sizes = {s[position] for s in padded}
        sizes.discard(1)
        if len(sizes) > 1:
            raise ValueError(f"sizes {sorted(sizes)} do not fit at axis -{ndim - position}")
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)
