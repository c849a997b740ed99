"""The ones are put before each shape with (1,) * k + shape, which fails for a list."""


def broadcast_shape(*shapes):
    n = max((len(s) for s in shapes), default=0)
    padded = [(1,) * (n - len(s)) + s for s in shapes]
    result = []
    for k in range(1, n + 1):
        sizes = {s[-k] for s in padded} - {1}
        if len(sizes) > 1:
            raise ValueError(f"axis -{k}: sizes {sorted(sizes)} do not fit")
        result.append(sizes.pop() if sizes else 1)
    return tuple(reversed(result))
