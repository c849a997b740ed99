"""The shapes are filled up with ones on the left and then compared from left to right. With several positions that fail the error is raised at the first one met, which is the leftmost, but the message has to name the rightmost. With one bad position everything is right, so a learner who tests one error sees nothing."""


def broadcast_shape(*shapes):
    if len(shapes) == 0:
        return ()
    n = max(len(s) for s in shapes)
    filled = [(1,) * (n - len(s)) + tuple(s) for s in shapes]
    result = []
    for pos in range(n):
        sizes = [s[pos] for s in filled]
        others = set(size for size in sizes if size != 1)
        if len(others) > 1:
            raise ValueError(f"axis -{n - pos}: sizes {sizes} do not fit")
        if others:
            result.append(others.pop())
        else:
            result.append(1)
    return tuple(result)
