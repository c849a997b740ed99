"""Hidden checks for output_size and flat_features."""

from torchdojo.grading import check, raises, replaced

CONCEPTS = ("M02", "C09")

KEPT = {"one_step_has_the_plain_formula": "the size without stride, padding and dilation, worth points by itself"}


def right_size(size, kernel, stride=1, padding=0, dilation=1):
    """Tries each position of the kernel."""
    end = size + 2 * padding
    starts = [start for start in range(0, end, stride) if start + (kernel - 1) * dilation < end]
    if not starts:
        raise ValueError("no position")
    return len(starts)


class oracle:
    """Positions are counted, one by one."""

    output_size = right_size

    def flat_features(shape, layers):
        sizes = list(shape)
        for channels, kernel, stride, padding in layers:
            sizes = [channels, *(right_size(size, kernel, stride, padding) for size in sizes[1:])]
        return sizes[0] * sizes[1] * sizes[2]


@check(points=2, size=[7, 12, 6], kernel=[3, 1, 5, 2], devices=False)
def one_step_has_the_plain_formula(solution, size, kernel):
    """Without stride, padding and dilation, there are size - kernel + 1 positions."""
    return solution.output_size(size, kernel)


@check(points=3, size=[16, 11, 13], kernel=[3, 2, 7], stride=[2, 3, 5], devices=False)
def a_stride_leaves_out_positions(solution, size, kernel, stride):
    """With a stride, only whole steps inside the image count."""
    return solution.output_size(size, kernel, stride)


@check(points=2, size=[8, 13], kernel=[3, 4], padding=[1, 2, 3], devices=False)
def padding_counts_at_both_ends(solution, size, kernel, padding):
    """Padding makes the image larger at both ends."""
    return solution.output_size(size, kernel, padding=padding)


@check(points=1, size=[17, 20], kernel=[3, 2, 1], dilation=[2, 4], devices=False)
def dilation_spreads_the_kernel(solution, size, kernel, dilation):
    """With a dilation, a kernel covers more pixels."""
    return solution.output_size(size, kernel, dilation=dilation)


LAYERS = [
    [(16, 3, 1, 0)],
    [(5, 3, 2, 1), (7, 4, 3, 0)],
    [(4, 5, 1, 2), (6, 2, 2, 0), (3, 3, 1, 1)],
]


@check(points=3, shape=[(3, 12, 17), (1, 23, 14)], layers=LAYERS, devices=False)
def layers_follow_each_other(solution, shape, layers):
    """Each layer reads the result of the one before; in the end, the three sizes are multiplied."""
    with replaced(solution, output_size=right_size):
        return solution.flat_features(shape, list(layers))


@check(points=1, star=True, kernel=[2, 5, 9], devices=False)
def a_kernel_that_does_not_fit_is_refused(solution, kernel):
    """A kernel that is larger than the image raises a ValueError; one that just fits doesn't."""
    return {f"{size} pixels": raises(lambda size=size: solution.output_size(size, kernel)) for size in (kernel, kernel - 1, 1)}


@check(points=1, star=True, kernel=[3, 5], devices=False)
def padding_and_dilation_decide_what_fits(solution, kernel):
    """A kernel fits because of the padding, or raises a ValueError because of the dilation."""
    return {
        "with padding": raises(lambda: solution.output_size(kernel - 1, kernel, padding=1)),
        "with a dilation": raises(lambda: solution.output_size(2 * kernel - 2, kernel, dilation=2)),
    }


@check(points=1, star=True, shape=[(3, 5, 7), (1, 4, 2)], devices=False)
def without_layers_the_image_is_flattened(solution, shape):
    """Without layers, the values of the image itself are counted."""
    return solution.flat_features(shape, [])
