"""Hidden checks for to_gray."""

import torch

from given.luma import WEIGHTS
from torchdojo.grading import check, tensor


class oracle:
    """One channel at a time."""

    def to_gray(images):
        return sum(images[:, c] * w for c, w in enumerate(WEIGHTS))


@check(points=3, images=tensor("batch 3 height width"))
def channels_are_weighted(solution, images):
    """Each pixel is the weighted sum of its channels."""
    return solution.to_gray(images)


@check(points=1, images=tensor("batch 3 height width"), minimum=1)
def one_batch_axis_stays(solution, images):
    """The result has a batch axis, a height and a width."""
    return list(solution.to_gray(images).shape)
