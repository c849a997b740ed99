"""Hidden checks for blur."""

import torch

from torchdojo.grading import check, loop_in, tensor, watched


class oracle:
    """One value at a time."""

    def gaussian(radius, sigma):
        at = [float(n) for n in range(-radius, radius + 1)]
        weights = torch.tensor([2.718281828459045 ** (-n * n / (2 * sigma * sigma)) for n in at], dtype=torch.float64)
        return weights / sum(weights)

    def blur_rows(image, weights):
        height, width = image.shape
        radius = len(weights) // 2
        result = torch.zeros_like(image)
        for row in range(height):
            for column in range(width):
                for k, weight in enumerate(weights.tolist()):
                    if 0 <= column + k - radius < width:
                        result[row, column] += weight * image[row, column + k - radius]
        return result

    def blur(image, weights):
        return oracle.blur_rows(oracle.blur_rows(image, weights).T, weights).T


WEIGHTS = [torch.tensor(w, dtype=torch.float64) for w in ([1.0], [0.25, 0.5, 0.25], [0.5, 0.25, 0.25, 0.0, 0.0])]


@check(points=3, image=tensor("height width"), minimum=1, weights=WEIGHTS)
def rows_are_blurred(solution, image, weights):
    """Each value of a row is the weighted sum of its neighbors."""
    return solution.blur_rows(image, weights.to(image.device))


@check(points=2, image=tensor("height width"), minimum=1, weights=WEIGHTS)
def both_axes_are_blurred(solution, image, weights):
    """Rows and columns are blurred."""
    return solution.blur(image, weights.to(image.device))


@check(points=1, image=tensor("rows 4"), minimum=2)
def no_loop_over_rows(solution, image):
    """The work doesn't depend on the number of rows."""
    weights = torch.tensor([0.25, 0.5, 0.25], dtype=torch.float64, device=image.device)
    few, many = (watched(lambda t=t: solution.blur_rows(t, weights)) for t in (image, image.repeat(9, 1)))
    return [few.answer, many.answer], [(len(run.operations), run.steps) for run in (few, many)]


@no_loop_over_rows.rule
def _(work):
    few, many = work
    why = loop_in(few, [many])
    return f"with more rows, {why}: there is a Python loop" if why else None
