"""Known mistakes and unusual but correct solutions for conv2d_by_unfold."""

import torch
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print the shape of F.unfold(x, (2, 3)) for an x of one image, one channel, 4 rows and 5 columns. What is in one column?",
    "Each column of unfold is a window: all its channels, rows and columns, flattened in this order. weight.flatten(1) has the same order in each row. So a matrix product "
    "gives all positions of all output channels.",
    "weight.flatten(1) times the columns has the shape (batch, out_channels, positions). Add bias[:, None]. Then split the last axis into out_height and out_width, each by "
    "the formula for the size of a convolution's result.",
)
EQUIVALENT = {
    "in_place_update: out += bias[:, None]": "the product is a tensor of the function's own",
    "drop_keyword: height, width = ((n + 2 * p - k) // s + 1 for n, p, k, s in zip(x.shape[-2:], padding, kernel, stride))": "each has two numbers",
}

PRODUCT = "out = weight.flatten(1) @ columns"
BIAS = "out = out + bias[:, None]"
SIZES = "(n + 2 * p - k) // s + 1"
SPLIT = "return out.unflatten(-1, (height, width))"
UNFOLD = "columns = F.unfold(x, kernel, stride=stride, padding=padding)"
PAIRS = "stride, padding = (n if isinstance(n, tuple) else (n, n) for n in (stride, padding))"


channels_last_reshaped = mistake.edited(PRODUCT, "out = (columns.mT @ weight.flatten(1).mT).reshape(*columns.shape[:-2], len(weight), -1)",
    "Positions and output channels are mixed, as if a product with the channels last were reshaped: reshape doesn't move an axis. Transpose first.",
    common=True, about="output_channels_are_images",
    pitfall="reshape doesn't move them")

flips_the_kernel = mistake.edited(PRODUCT, "out = weight.flip(-1, -2).flatten(1) @ columns",
    "The kernel is flipped, as in mathematics: PyTorch's convolution doesn't flip it.")

transposes_the_kernel = mistake.edited(PRODUCT, "out = weight.transpose(-1, -2).flatten(1) @ columns",
    "Rows and columns of the kernel are exchanged: flatten kernel and windows in the same order, row by row.")

flattens_the_wrong_axes = mistake.edited(PRODUCT, "out = weight.reshape(-1, len(weight)).mT @ columns",
    "You reshaped the weight to (window, out_channels), which mixes the output channels: flatten each output channel's numbers, and transpose if you must.",
    common=True, about="output_channels_are_images")

kernel_before_channels = mistake.edited(PRODUCT, "out = weight.movedim(1, -1).flatten(1) @ columns",
    "The weight was flattened with its channels last, but a window has them first: rows and channels are mixed.",
    about="channels_add_up")

mean_of_the_channels = mistake.edited(PRODUCT, "out = weight.flatten(1) @ columns / weight.shape[1]",
    "You averaged over the channels: a convolution adds them.",
    about="channels_add_up")

first_channel_only = mistake.edited(PRODUCT, "part = weight[:, 0].numel() // len(weight)\nout = weight[:, 0].flatten(1) @ columns[..., :part, :]",
    "Only the first channel counts: add the products of all channels.",
    about="channels_add_up")

adds_the_batch = mistake.edited(PRODUCT, "out = (weight.flatten(1) @ columns).sum(dim=0, keepdim=True).expand(len(columns), -1, -1)",
    "The images of the batch were added: each has its own result.",
    about="output_channels_are_images")

without_bias = mistake.edited(BIAS, "out = out + 0 * bias[:, None]",
    "The bias has no effect: add it to each output channel.",
    common=True, about="bias_belongs_to_output_channels")

bias_along_the_positions = mistake.edited(BIAS, "out = out + bias",
    "The bias was lined up with the positions, the last axis: it needs an axis behind it, bias[:, None].",
    common=True, about="bias_belongs_to_output_channels")

sum_of_the_bias = mistake.edited(BIAS, "out = out + bias.sum()",
    "Every output channel got the sum of all biases: each has its own.",
    about="bias_belongs_to_output_channels")

subtracts_the_bias = mistake.edited(BIAS, "out = out - bias[:, None]",
    "You subtracted the bias: add it.")

rows_and_columns_exchanged = mistake.edited(SPLIT, "return out.unflatten(-1, (width, height))",
    "The positions were split into width and height: the rows come first, so the order is height, width.",
    common=True)

flattened_columns_first = mistake.edited(SPLIT, "return out.unflatten(-1, (width, height)).mT",
    "The positions come column by column: they go row by row, as unfold returns them.")

ignores_the_stride = mistake.edited(PAIRS, PAIRS.replace("(stride, padding))", "(1, padding))"),
    "stride has no effect: the kernel moves by it.",
    about="stride_leaves_out_positions")

stride_along_the_width_alone = mistake.edited(PAIRS, PAIRS + "\nstride = (1, stride[1])",
    "stride is missing for the height: the kernel moves down by it, too.",
    about="stride_leaves_out_positions")

size_without_the_stride = mistake.edited(SIZES, "(n + 2 * p - k) + 1",
    "The output size ignores the stride: divide by it before you add 1.",
    common=True, about="stride_leaves_out_positions")

rounds_up = mistake.edited(SIZES, "-((k - n - 2 * p) // s) + 1",
    "The output size was rounded up: positions that stick out of the image don't count.",
    about="stride_leaves_out_positions")

padding_once_in_the_size = mistake.edited(SIZES, "(n + p - k) // s + 1",
    "The output size counts the padding once: it is on both sides.",
    common=True, about="zeros_surround_the_image")

padding_below_and_right = mistake.edited(UNFOLD, "columns = F.unfold(F.pad(x, (0, 2 * padding[1], 0, 2 * padding[0])), kernel, stride=stride)",
    "The padding is below and to the right only: it belongs on all four sides.",
    about="zeros_surround_the_image")

repeats_the_border = mistake.edited(UNFOLD,
    'columns = F.unfold(F.pad(x if x.ndim == 4 else x[None], (padding[1], padding[1], padding[0], padding[0]), mode="replicate"), kernel, stride=stride)\n'
    "columns = columns if x.ndim == 4 else columns[0]",
    "The padding repeats the image's border: it is made of zeros.",
    about="zeros_surround_the_image")

ignores_the_padding = mistake.edited(PAIRS, PAIRS.replace("(stride, padding))", "(stride, 0))"),
    "padding has no effect: surround the image with zeros.",
    about="zeros_surround_the_image")

weight_without_its_graph = mistake.edited(PRODUCT, "out = weight.data.flatten(1) @ columns",
    "No gradient reaches weight: .data, detach() and no_grad cut it off.",
    common=True, about="gradients_reach_all_three")

image_without_its_graph = mistake.edited(UNFOLD, "columns = F.unfold(x.detach(), kernel, stride=stride, padding=padding)",
    "No gradient reaches x, so earlier layers learn nothing: .data, detach() and no_grad cut it off.",
    about="gradients_reach_all_three")

bias_without_its_graph = mistake.edited(BIAS, "out = out + bias.detach()[:, None]",
    "No gradient reaches bias: add bias itself, because .data, detach() and no_grad cut it off.",
    about="gradients_reach_all_three")

numbers_only = mistake.edited(PAIRS, "stride, padding = (stride, stride), (padding, padding)",
    "A pair of strides or paddings raises an error: use its first number for the height, and its second for the width.",
    common=True, about="pairs_are_for_height_and_width")

pairs_exchanged = mistake.edited(PAIRS, "stride, padding = (n[::-1] if isinstance(n, tuple) else (n, n) for n in (stride, padding))",
    "The numbers of a pair are exchanged: the first is for the height.",
    about="pairs_are_for_height_and_width")

padding_pair_exchanged = mistake.edited(PAIRS, PAIRS + "\npadding = padding[::-1]",
    "The two numbers of padding are exchanged: the first is for the height, although F.pad takes those of the last axis first.",
    common=True, about="pairs_are_for_height_and_width")

first_number_of_a_pair = mistake.edited(PAIRS, "stride, padding = ((n[0], n[0]) if isinstance(n, tuple) else (n, n) for n in (stride, padding))",
    "Of a pair, only the first number counts: the second is for the width.",
    about="pairs_are_for_height_and_width")

always_a_batch = mistake.edited(SPLIT, "return out.reshape(-1, len(weight), height, width)",
    "One image gives a batch of one: without a batch axis in x there is none in the result.",
    common=True, about="one_image_gives_one_image")

unpacks_four_axes = mistake.edited(UNFOLD, "batch, channels, _, _ = x.shape\n" + UNFOLD,
    "One image has three axes, so x.shape can't be unpacked into four numbers.",
    about="one_image_gives_one_image")

conv_itself = mistake.edited(SPLIT, "return F.conv2d(x, weight, bias, stride, padding)",
    "You used torch's own convolution: multiply the windows by the weight yourself.",
    forbidden="torch's own convolutions")


def both(n):
    return n if isinstance(n, (tuple, list)) else (n, n)


@alternative("conv2d_by_unfold")
def windows_by_tensor_unfold(x, weight, bias=None, stride=1, padding=0):
    """Tensor.unfold makes a view of all windows, and einsum multiplies."""
    (sh, sw), (ph, pw) = both(stride), both(padding)
    kh, kw = weight.shape[2:]
    windows = F.pad(x, (pw, pw, ph, ph)).unfold(-2, kh, sh).unfold(-2, kw, sw)
    out = torch.einsum("...chwij,ocij->...ohw", windows, weight)
    return out if bias is None else out + bias.view(-1, 1, 1)


@alternative("conv2d_by_unfold")
def element_by_element_of_the_kernel(x, weight, bias=None, stride=1, padding=0):
    """Each number of the kernel multiplies a shifted image."""
    (sh, sw), (ph, pw) = both(stride), both(padding)
    kh, kw = weight.shape[2:]
    x = F.pad(x, (pw, pw, ph, ph))
    rows, columns = (x.shape[-2] - kh) // sh + 1, (x.shape[-1] - kw) // sw + 1
    out = 0
    for i in range(kh):
        for j in range(kw):
            shifted = x[..., i : i + (rows - 1) * sh + 1 : sh, j : j + (columns - 1) * sw + 1 : sw]
            out = out + torch.tensordot(weight[:, :, i, j], shifted, dims=([1], [x.ndim - 3])).movedim(0, -3)
    return out if bias is None else out + bias[:, None, None]


@alternative("conv2d_by_unfold")
def position_by_position(x, weight, bias=None, stride=1, padding=0):
    """Two loops over the positions."""
    (sh, sw), (ph, pw) = both(stride), both(padding)
    kh, kw = weight.shape[2:]
    x = F.pad(x, (pw, pw, ph, ph))
    tops, lefts = range(0, x.shape[-2] - kh + 1, sh), range(0, x.shape[-1] - kw + 1, sw)
    flat = weight.reshape(len(weight), -1).T
    rows = [torch.stack([x[..., i : i + kh, j : j + kw].flatten(-3) @ flat for j in lefts], dim=-1) for i in tops]
    out = torch.stack(rows, dim=-2)
    return out + bias[:, None, None] if bias is not None else out


by_fold = alternative.edited(SPLIT, "return F.fold(out, (height, width), 1)",
    "fold with a window of one pixel puts each position in its place.")
