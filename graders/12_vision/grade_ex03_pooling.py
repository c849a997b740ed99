"""Hidden checks for pooling: maxima and their places, means, stride, padding."""

from torch.nn import functional as F

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("M04",)
FORBIDS = {"aten.*pool*": "torch's own pooling"}
BECAUSE = "the point is to see which numbers of a window count"
KEPT = {
    "each_window_has_its_maximum": "windows side by side, worth points without the indices",
    "each_maximum_has_its_place": "the task's part of what of_equal_numbers_the_first_counts asks for the star",
    "windows_move_by_stride": "stride by itself; the star's check is about ties",
    "each_window_has_its_mean": "means without padding, worth points by themselves",
}


class oracle:
    """What PyTorch itself does."""

    def max_pool(x, kernel, stride=None, padding=0):
        return F.max_pool2d(x, kernel, stride, padding, return_indices=True)

    def average_pool(x, kernel, stride=None, padding=0, count_include_pad=True):
        return F.avg_pool2d(x, kernel, stride, padding, count_include_pad=count_include_pad)


X = tensor("batch channels rows+4 columns+3", distinct=True, step=0.0625)
NEGATIVE = tensor("batch channels rows+4 columns+3", distinct=True, step=0.0625, low=-9, high=-1)
POSITIVE = tensor("batch channels rows+4 columns+3", distinct=True, step=0.0625, low=1, high=9)


@check(points=2, x=X, kernel=[2, 3], minimum=1)
def each_window_has_its_maximum(solution, x, kernel):
    """Windows side by side have their largest numbers, in every channel of every image."""
    return solution.max_pool(x, kernel)[0]


@check(points=2, x=X, kernel=[2, 3], minimum=1)
def each_maximum_has_its_place(solution, x, kernel):
    """The index of each maximum is row * width + column."""
    return solution.max_pool(x, kernel)[1]


@check(points=2, x=X, kernel=[3, 2], stride=[1, 2], minimum=1)
def windows_move_by_stride(solution, x, kernel, stride):
    """With a stride, windows overlap; values and indices belong together."""
    values, indices = solution.max_pool(x, kernel, stride)
    return {"values": values, "indices": indices}


@check(points=4, x=NEGATIVE, kernel=[2, 3], minimum=1)
def padding_never_wins(solution, x, kernel):
    """Padding is never the largest, even if all numbers are negative."""
    return solution.max_pool(x, kernel, padding=1)[0]


@check(points=2, x=POSITIVE, kernel=[2, 3], minimum=1)
def places_dont_count_the_padding(solution, x, kernel):
    """With padding, the indices still count in x: the first pixel has index 0."""
    return solution.max_pool(x, kernel, 2, padding=1)[1]


@check(points=2, x=X, kernel=[2, 3], stride=[None, 1], minimum=1)
def each_window_has_its_mean(solution, x, kernel, stride):
    """The mean of each window, with and without a stride."""
    return solution.average_pool(x, kernel, stride)


@check(points=2, x=X, kernel=[2, 3, 5], padding=[1], minimum=1)
def padding_counts_as_zeros(solution, x, kernel, padding):
    """By default, the zeros of the padding are numbers of their window."""
    return solution.average_pool(x, kernel, 2, padding)


@check(points=2, x=X, kernel=[2, 3], minimum=1)
def padding_may_not_count(solution, x, kernel):
    """Without the padding, each sum is divided by the number of its pixels."""
    return solution.average_pool(x, kernel, padding=1, count_include_pad=False)


@check(points=1, x=X, minimum=1, mutates=("x",))
def gradients_reach_x(solution, x, rng):
    """A gradient goes to each maximum, and in equal parts to each number of a mean."""
    x.requires_grad_()
    top, mean = solution.max_pool(x, 3, 2)[0], solution.average_pool(x, 3, 2)
    return {"by maxima": gradients(top, [x], upstream(top, rng))[0], "by means": gradients(mean, [x], upstream(mean, rng))[0]}


@check(points=1, star=True, x=tensor("batch channels rows+4 columns+3", low=0, high=1, step=1), kernel=[2, 3], minimum=1)
def of_equal_numbers_the_first_counts(solution, x, kernel):
    """Of equal numbers in a window, the index is that of the first in reading order."""
    return solution.max_pool(x, kernel)[1]
