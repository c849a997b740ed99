"""Hidden checks for cutout."""

import torch

from torchdojo.grading import built, check, tensor


class oracle:
    """One pixel at a time."""

    def cutout(image, row, column, size, fill=0.0):
        result = image.clone()
        for r in range(image.shape[0]):
            for c in range(image.shape[1]):
                if row <= r < row + size and column <= c < column + size:
                    result[r, c] = fill
        return result


def place(low, high):
    return built(lambda case: case.rng.randint(low, high), axes="height width")


@check(points=2, image=tensor("height width"), row=place(-1, 5), column=place(-1, 5), size=place(1, 4), minimum=1)
def the_square_is_filled(solution, image, row, column, size):
    """A square is filled, cut off at the edges."""
    return solution.cutout(image, row, column, size, 9.0)


@check(points=1, image=tensor("3 4"))
def it_is_filled_with_zeros(solution, image):
    """Without a value, the square is filled with zeros."""
    return solution.cutout(image + 10, 1, 1, 2)
