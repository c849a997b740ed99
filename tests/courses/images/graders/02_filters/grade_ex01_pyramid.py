"""Hidden checks for pyramid."""

import torch

from torchdojo.grading import check, tensor


class oracle:
    """One pixel at a time."""

    def halve(image):
        channels, height, width = image.shape
        rows = [
            torch.stack([image[:, r : r + 2, c : c + 2].mean(dim=(1, 2)) for c in range(0, width, 2)], dim=-1)
            for r in range(0, height, 2)
        ]
        return torch.stack(rows, dim=-2)

    def pyramid(image, smallest=1):
        levels = [image]
        while max(levels[-1].shape[-2:]) > smallest:
            levels.append(oracle.halve(levels[-1]))
        return levels


@check(points=2, image=tensor("channels height width"), minimum=1)
def squares_are_averaged(solution, image):
    """Each value is the mean of a square."""
    return solution.halve(image)


@check(points=1, image=tensor("channels 7 5"), minimum=1)
def odd_edges_are_kept(solution, image):
    """At an odd edge the mean is that of the values there are."""
    return solution.halve(image)


@check(points=2, image=tensor("channels 13 10"), smallest=[3, 5], minimum=1)
def levels_halve(solution, image, smallest):
    """The levels halve until the longer side is small enough."""
    return [level.clone() for level in solution.pyramid(image, smallest)]
