"""Known mistakes and unusual but correct solutions for output_size and flat_features."""

import math

import torch
from intro2_output_size import output_size
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Draw 8 squares and move a kernel of 3 over them in steps of 2. What is left over at the right end?",
    "The first position is always there. After it, there are as many steps as fit into the rest: the padded size minus what the kernel covers. Height and width follow "
    "the same formula, each by itself.",
    "The room is size plus twice the padding, minus the pixels that the kernel covers. Divide it by stride with //, and add 1. For a negative room raise ValueError. In "
    "flat_features, replace channels, height and width in a loop over the layers, then multiply the three.",
)
EQUIVALENT = {}

ROOM = "room = size + 2 * padding - (dilation * (kernel - 1) + 1)"
STEPS = "return room // stride + 1"
FLAT = "return channels * height * width"
CHANNELS = "for outputs, kernel, stride, padding in layers:"


without_the_first = mistake.edited(STEPS, "return room // stride",
    "You counted the steps and not the first position: add 1.")

a_fraction = mistake.edited(STEPS, "return room / stride + 1",
    "The result is a float: / keeps the fraction. Divide with //, which rounds down.",
    about="one_step_has_the_plain_formula")

rounds_up = mistake.edited(STEPS, "return math.ceil(room / stride) + 1",
    "You rounded up, so the last position sticks out of the image: round down.",
    common=True, about="a_stride_leaves_out_positions",
    pitfall="Round down before you add 1")

rounds_to_the_nearest = mistake.edited(STEPS, "return round(room / stride) + 1",
    "You rounded to the nearest number, so a position may stick out of the image: round down.",
    about="a_stride_leaves_out_positions")

rounds_after_adding = mistake.edited(STEPS, "return (room + 1) // stride",
    "You added 1 before you divided by the stride: divide and round down first, then add 1.",
    common=True, about="a_stride_leaves_out_positions")

ignores_the_stride = mistake.edited(STEPS, "return room + 1",
    "stride has no effect: it divides the number of steps.",
    about="a_stride_leaves_out_positions")

size_by_stride = mistake.edited(STEPS, "return math.ceil((size + 2 * padding) / stride)",
    "The result is the padded size divided by the stride, as if the kernel covered one pixel: subtract what it covers first.")

padding_at_one_end = mistake.edited(ROOM, "room = size + padding - (dilation * (kernel - 1) + 1)",
    "Padding was counted once: it is added at both ends.",
    common=True, about="padding_counts_at_both_ends")

ignores_the_padding = mistake.edited(ROOM, "room = size - (dilation * (kernel - 1) + 1)",
    "padding has no effect: it makes the image larger at both ends.",
    about="padding_counts_at_both_ends")

subtracts_the_padding = mistake.edited(ROOM, "room = size - 2 * padding - (dilation * (kernel - 1) + 1)",
    "You subtracted the padding: it makes the image larger.",
    about="padding_counts_at_both_ends")

ignores_the_dilation = mistake.edited(ROOM, "room = size + 2 * padding - kernel",
    "dilation has no effect: the kernel covers dilation * (kernel - 1) + 1 pixels.",
    common=True, about="dilation_spreads_the_kernel")

dilation_times_kernel = mistake.edited(ROOM, "room = size + 2 * padding - dilation * kernel",
    "You took dilation * kernel for what the kernel covers: there are only kernel - 1 gaps between its elements.",
    common=True, about="dilation_spreads_the_kernel")

dilation_of_each_element = mistake.edited(ROOM, "room = size + 2 * padding - dilation * (kernel - 1)",
    "The result is too large, as if the kernel covered dilation * (kernel - 1) pixels: it covers one more.")

negative_sizes = mistake.edited("if room < 0:", "if size < 0:",
    "A kernel that doesn't fit raises no error here: raise a ValueError instead of returning 0 or a negative size.",
    common=True, about="a_kernel_that_does_not_fit_is_refused")

compares_the_plain_sizes = mistake.edited("if room < 0:", "if kernel > size:",
    "A kernel that fits thanks to the padding is refused, and one that is too large with its dilation isn't: compare what the kernel covers with the padded image.",
    common=True, about="padding_and_dilation_decide_what_fits")

forgets_the_dilation = mistake.edited("if room < 0:", "if kernel > size + 2 * padding:",
    "A kernel that is too large because of its dilation raises no error here: it covers dilation * (kernel - 1) + 1 pixels, which must fit into the padded image.",
    about="padding_and_dilation_decide_what_fits")

refuses_a_full_kernel = mistake.edited("if room < 0:", "if room <= 0:",
    "A kernel as large as the padded image has one position: refuse only larger ones.")

square_images = mistake.edited(FLAT, "return channels * height * height",
    "You took the height for the width: each has its own size.",
    common=True, about="layers_follow_each_other")

forgets_the_channels = mistake.edited(FLAT, "return height * width",
    "The channels are missing: flatten joins all channels, too.",
    common=True, about="layers_follow_each_other")

adds = mistake.edited(FLAT, "return channels + height + width",
    "You added the sizes: multiply them.",
    about="layers_follow_each_other")

channels_of_the_image = mistake.edited("channels = outputs", "pass",
    "You used the channels of the image: each convolution has its own number of output channels, and the last one counts.",
    common=True, about="layers_follow_each_other")


@mistake("flat_features", about="layers_follow_each_other")
def channels_multiply(shape, layers):
    """You multiplied the channels of all layers: a convolution replaces the channels, so only those of the last layer count."""
    channels, height, width = shape
    for more, kernel, stride, padding in layers:
        channels *= more
        height, width = (output_size(n, kernel, stride, padding) for n in (height, width))
    return channels * height * width


only_the_last_layer = mistake.edited(CHANNELS, "for outputs, kernel, stride, padding in layers[-1:]:",
    "Only the last layer counts: each one reads the result of the layer before.",
    about="layers_follow_each_other")

only_the_first_layer = mistake.edited(CHANNELS, "for outputs, kernel, stride, padding in layers[:1]:",
    "Only the first layer counts: each one reads the result of the layer before.",
    about="layers_follow_each_other")

width_twice = mistake.edited("width = output_size(width,", "width = output_size(height,",
    "The new width was computed from the height: each has its own size.",
    about="layers_follow_each_other")

needs_a_layer = mistake.edited(CHANNELS, "channels = layers[-1][0]\nfor outputs, kernel, stride, padding in layers:",
    "Without layers, an index such as layers[-1] raises an error: start with the channels of the image.",
    about="without_layers_the_image_is_flattened")

one_without_layers = mistake.edited(FLAT, "return channels * height * width if layers else 0",
    "Without layers you returned 0: the image itself is flattened then, so its values count.",
    about="without_layers_the_image_is_flattened")


@alternative("output_size")
def a_range(size, kernel, stride=1, padding=0, dilation=1):
    """The starts of the kernel are a range."""
    starts = range(0, size + 2 * padding - dilation * (kernel - 1), stride)
    if not starts:
        raise ValueError
    return len(starts)


@alternative("output_size")
def as_the_documentation_has_it(size, kernel, stride=1, padding=0, dilation=1):
    """The formula of nn.Conv2d's page."""
    out = math.floor((size + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1)
    if out <= 0:
        raise ValueError(out)
    return out


@alternative()
def on_the_meta_device():
    """PyTorch is asked for the shapes."""

    def output_size(size, kernel, stride=1, padding=0, dilation=1):
        try:
            return nn.Conv1d(1, 1, kernel, stride, padding, dilation, device="meta")(torch.empty(1, size, device="meta")).shape[1]
        except RuntimeError as error:
            raise ValueError from error

    def flat_features(shape, layers):
        x = torch.empty(1, *shape, device="meta")
        for channels, kernel, stride, padding in layers:
            x = nn.Conv2d(x.shape[1], channels, kernel, stride, padding, device="meta")(x)
        return x.numel()

    return {"output_size": output_size, "flat_features": flat_features}
