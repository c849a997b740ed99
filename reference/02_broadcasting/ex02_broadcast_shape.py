"""Reference solution for broadcast_shape."""


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that the given shapes broadcast to, computed in plain Python."""
    result = []
    for place in range(1, max(map(len, shapes), default=0) + 1):
        sizes = {shape[-place] for shape in shapes if len(shape) >= place} - {1}
        if len(sizes) > 1:
            raise ValueError(f"axis -{place}: sizes {sorted(sizes)} do not fit")
        result.insert(0, sizes.pop() if sizes else 1)
    return tuple(result)
