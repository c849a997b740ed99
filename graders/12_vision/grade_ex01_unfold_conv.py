"""Hidden checks for conv2d_by_unfold: windows, channels, bias, stride, padding, gradients."""

from torch.nn import functional as F

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("M03", "C04")
FORBIDS = {"aten.*conv*": "torch's own convolution"}
BECAUSE = "the point is to see which numbers it multiplies"
KEPT = {
    "a_kernel_reads_rows_and_columns": "one channel and one position after the other, worth points without anything else",
    "channels_add_up": "channels without a batch, worth points by itself",
    "output_channels_are_images": "the task's part of what one_image_gives_one_image asks for the star",
    "stride_leaves_out_positions": "the task's part of what pairs_are_for_height_and_width asks for the star",
    "zeros_surround_the_image": "the task's part of what pairs_are_for_height_and_width asks for the star",
}


class oracle:
    """What PyTorch itself does."""

    def conv2d_by_unfold(x, weight, bias=None, stride=1, padding=0):
        return F.conv2d(x, weight, bias, stride, padding)


X, WEIGHT = tensor("1 1 rows+2 columns+3", layouts=False), tensor("1 1 rows columns", layouts=False)


def even(weight):
    """The weight with a single number in each kernel, so that its rows and columns may be in any order."""
    return weight[..., :1, :1].expand_as(weight).clone()


@check(points=2, x=X, weight=WEIGHT, minimum=1)
def a_kernel_reads_rows_and_columns(solution, x, weight):
    """With one channel, each number is a window times the kernel."""
    return solution.conv2d_by_unfold(x, weight)


@check(points=2, x=tensor("1 channels rows columns", layouts=False), weight=tensor("1 channels rows columns", layouts=False), minimum=1)
def channels_add_up(solution, x, weight):
    """The products of all channels are added."""
    return solution.conv2d_by_unfold(x, even(weight))


@check(points=3, x=tensor("batch 1 rows+1 columns+2", layouts=False), weight=tensor("outputs 1 rows columns", layouts=False), minimum=1)
def output_channels_are_images(solution, x, weight):
    """Each image of the batch has an image for each output channel."""
    return solution.conv2d_by_unfold(x, even(weight))


@check(points=1, x=tensor("1 1 rows columns", layouts=False), weight=tensor("outputs 1 rows columns", layouts=False), bias=tensor("outputs", layouts=False), minimum=1)
def bias_belongs_to_output_channels(solution, x, weight, bias):
    """Each output channel gets its bias."""
    return solution.conv2d_by_unfold(x, even(weight), bias)


@check(points=2, x=tensor("1 1 rows+5 columns+4", layouts=False), weight=WEIGHT, stride=[2, 3], minimum=1)
def stride_leaves_out_positions(solution, x, weight, stride):
    """The kernel moves by stride, down and to the right."""
    return solution.conv2d_by_unfold(x, even(weight), stride=stride)


@check(points=2, x=tensor("1 1 rows columns+1", layouts=False), weight=WEIGHT, padding=[1, 2], minimum=1)
def zeros_surround_the_image(solution, x, weight, padding):
    """padding adds zeros on all four sides."""
    return solution.conv2d_by_unfold(x, even(weight), padding=padding)


@check(points=2, x=X, weight=WEIGHT, bias=tensor("1", layouts=False), minimum=1, mutates=("x", "weight", "bias"))
def gradients_reach_all_three(solution, x, weight, bias, rng):
    """Gradients reach x, weight and bias."""
    inputs = [t.requires_grad_() for t in (x, even(weight), bias)]
    y = solution.conv2d_by_unfold(*inputs)
    return dict(zip(("gradient of x", "gradient of weight", "gradient of bias"), gradients(y, inputs, upstream(y, rng)), strict=True))


@check(points=1, star=True, x=tensor("1 1 rows+5 columns+4", layouts=False), weight=WEIGHT, stride=[(2, 3), (3, 1)], padding=[(0, 1), (2, 0)], minimum=1)
def pairs_are_for_height_and_width(solution, x, weight, stride, padding):
    """stride and padding may be pairs, one number for the height and one for the width."""
    return solution.conv2d_by_unfold(x, even(weight), stride=stride, padding=padding)


@check(points=1, star=True, x=tensor("channels rows+1 columns+2", layouts=False), weight=tensor("outputs channels rows columns", layouts=False), minimum=1)
def one_image_gives_one_image(solution, x, weight):
    """Without a batch axis in x there is none in the result."""
    return solution.conv2d_by_unfold(x, even(weight))
