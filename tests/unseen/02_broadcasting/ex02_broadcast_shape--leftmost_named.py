"""When several positions fail, the loop names the leftmost one, because it keeps the last failure."""
from itertools import zip_longest


def broadcast_shape(*shapes):
    problem = None
    out = []
    for k, sizes in enumerate(zip_longest(*[list(s)[::-1] for s in shapes], fillvalue=1), start=1):
        big = set(sizes) - {1}
        if len(big) > 1:
            problem = k
        out.append(big.pop() if big else 1)
    if problem:
        raise ValueError(f"axis -{problem}: the sizes differ")
    return tuple(out[::-1])
