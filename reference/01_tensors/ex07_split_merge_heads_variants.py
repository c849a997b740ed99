"""Known mistakes and odd-but-correct solutions for split_heads and merge_heads."""

import torch
from ex07_split_merge_heads import split_heads as right_split

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_view: return x.reshape(batch, time, heads, features // heads).transpose(1, 2)": "cutting one axis never needs a copy",
    "swap_view: return x.transpose(1, 2).contiguous().reshape(batch, time, heads * width)": "contiguous memory is never copied again",
}

HINTS = (
    "Two things happen: one axis is split in two, and two axes are swapped. Do them one after the other.",
    "view can split the last axis into (heads, width) without moving anything. Changing the order of axes is "
    "the work of transpose or permute, and view never does it.",
    "Split: check that features divides, view as four axes with heads third, then swap the axes of time and "
    "heads. Merge: swap them back, make the result contiguous, then view it as three axes.",
)


def width_of(x, heads):
    """The width of one head, checked."""
    if x.shape[-1] % heads:
        raise ValueError("features must be a multiple of heads")
    return x.shape[-1] // heads


@mistake("split_heads")
def cuts_without_swapping(x, heads):
    """The shape is right but the numbers are in the wrong places: view regroups the same sequence of numbers and
    never swaps axes. Split the last axis first, then transpose."""
    return x.reshape(x.shape[0], heads, x.shape[1], width_of(x, heads))


@mistake("split_heads")
def never_transposes(x, heads):
    """Your result is (batch, time, heads, width): swap the axes of time and heads at the end."""
    return x.view(x.shape[0], x.shape[1], heads, width_of(x, heads))


@mistake("split_heads")
def moves_the_wrong_axes(x, heads):
    """You swapped time with width instead of heads: after the split, the axes to swap are 1 and 2."""
    return x.view(x.shape[0], x.shape[1], heads, width_of(x, heads)).transpose(1, 3)


@mistake("split_heads")
def deals_the_features_out(x, heads):
    """Head h got every heads-th feature: a head gets a block of neighboring features, so heads comes before width
    in the split."""
    return x.view(x.shape[0], x.shape[1], width_of(x, heads), heads).permute(0, 3, 1, 2)


@mistake("split_heads")
def split_copies(x, heads):
    """Your result is a copy: contiguous() is not needed here. A split by view and a transpose share the memory of
    x."""
    return right_split(x, heads).contiguous().clone()


@mistake("split_heads")
def drops_what_is_left_over(x, heads):
    """When features is not a multiple of heads, no error is raised: raise ValueError before you split."""
    width = x.shape[-1] // heads
    return x[..., : width * heads].unflatten(-1, (heads, width)).transpose(1, 2)


@mistake("split_heads")
def the_error_of_view(x, heads):
    """When features is not a multiple of heads, view's own RuntimeError is raised: check first and raise
    ValueError."""
    return x.view(x.shape[0], x.shape[1], heads, x.shape[2] // heads).transpose(1, 2)


merges_without_swapping = mistake.edited("x.transpose(1, 2).contiguous().view", "x.reshape",
    "You merged time and width instead of heads and width: swap the axes of heads and time back before you merge.")


@mistake("merge_heads")
def not_always_contiguous(x):
    """With one head your result can be a view that is not contiguous: reshape copies only if it must. Call
    contiguous()."""
    return x.transpose(1, 2).flatten(2)


@mistake("merge_heads")
def leaves_the_heads_apart(x):
    """Your result still has four axes: after swapping, merge the last two into one of size heads * width."""
    return x.transpose(1, 2).contiguous()


@mistake("merge_heads")
def weaves_the_heads(x):
    """The features of the heads are interleaved: heads must come before width when you merge the two."""
    return x.permute(0, 2, 3, 1).flatten(2).contiguous()


@mistake("merge_heads")
def leaves_the_last_size_open(x):
    """-1 stands for the last size, and in a tensor without elements PyTorch can't infer it: write heads * width."""
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1).contiguous()


@alternative()
def unflatten_and_movedim():
    """The named helpers for cutting, moving and joining axes."""

    def split_heads(x, heads):
        return x.unflatten(-1, (heads, width_of(x, heads))).movedim(2, 1)

    def merge_heads(x):
        return x.movedim(1, 2).flatten(start_dim=2).contiguous()

    return {"split_heads": split_heads, "merge_heads": merge_heads}


@alternative("merge_heads")
def concatenates_the_heads(x):
    """Head after head, joined along the features."""
    return torch.cat([x[:, head] for head in range(x.shape[1])], dim=-1).contiguous()


@alternative("split_heads")
def strides_by_hand(x, heads):
    """The four axes described directly by their strides."""
    width = width_of(x, heads)
    batch, time, _ = x.shape
    b, t, f = x.stride()
    return x.as_strided((batch, heads, time, width), (b, width * f, t, f), x.storage_offset())
