"""Hidden checks for center_crop."""

import torch

from torchdojo.grading import check, tensor


class oracle:
    """One pixel at a time."""

    def center_crop(image, size, value=0.0):
        channels, height, width = image.shape
        top, left = max(0, (height - size) // 2), max(0, (width - size) // 2)
        square = torch.full((channels, size, size), value, dtype=image.dtype, device=image.device)
        for row in range(min(size, height)):
            for column in range(min(size, width)):
                square[:, row, column] = image[:, top + row, left + column]
        return square


@check(points=3, image=tensor("channels height width"), size=[1, 2, 3], value=[1.5, -1.0], minimum=1)
def the_middle_is_cut_out(solution, image, size, value):
    """The square is the middle of the image; a smaller image is padded with the value."""
    return solution.center_crop(image, size, value)


@check(points=1, image=tensor("channels 5 4"), minimum=1)
def a_large_image_needs_no_padding(solution, image):
    """An image that is larger than the square isn't padded."""
    return solution.center_crop(image, 2)
