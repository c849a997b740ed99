"""Recursion on the last axes."""


def broadcast_shape(*shapes, _k=1):
    if not any(map(len, shapes)):
        return ()
    sizes = {shape[-1] for shape in shapes if len(shape)}
    if len(sizes - {1}) > 1:
        raise ValueError(f"sizes that don't fit at axis -{_k}")
    last = max(sizes) if 0 not in sizes else 0
    return (*broadcast_shape(*(shape[:-1] for shape in shapes), _k=_k + 1), last)
