"""Known mistakes and unusual but correct solutions for split_heads and merge_heads."""

import torch

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


cuts_without_swapping = mistake.edited(
    "return x.view(batch, time, heads, features // heads).transpose(1, 2)",
    "return x.reshape(batch, heads, time, features // heads)",
    "The shape is right but the numbers are in the wrong positions: view regroups the same sequence of numbers and never "
    "swaps axes. Split the last axis first, then transpose.",
    about=("each_head_gets_its_block_of_features", "splitting_copies_nothing"),
    pitfall="view never swaps two axes")

never_transposes = mistake.edited(
    "return x.view(batch, time, heads, features // heads).transpose(1, 2)",
    "return x.view(batch, time, heads, features // heads)",
    "Your result is (batch, time, heads, width): swap the axes of time and heads at the end.")

moves_the_wrong_axes = mistake.edited(
    "return x.view(batch, time, heads, features // heads).transpose(1, 2)",
    "return x.view(batch, time, heads, features // heads).transpose(1, 3)",
    "You swapped time with width instead of heads: after the split, the axes to swap are 1 and 2.")

deals_the_features_out = mistake.edited(
    "return x.view(batch, time, heads, features // heads).transpose(1, 2)",
    "return x.view(batch, time, features // heads, heads).permute(0, 3, 1, 2)",
    "Head h got every heads-th feature: a head gets a block of neighboring features, so heads comes before width in the "
    "split.")

split_copies = mistake.edited(
    "return x.view(batch, time, heads, features // heads).transpose(1, 2)",
    "return x.view(batch, time, heads, features // heads).transpose(1, 2).contiguous().clone()",
    "Your result is a copy: splitting with view and then transposing shares the memory of x.")

drops_what_is_left_over = mistake.edited("if features % heads:", "if False:",
    "When features is not a multiple of heads, no error is raised: raise ValueError before you split.",
    also=[("return x.view(batch, time, heads, features // heads).transpose(1, 2)",
         "return x[..., : features // heads * heads].unflatten(-1, (heads, -1)).transpose(1, 2)")])

the_error_of_view = mistake.edited("if features % heads:", "if False:",
    "When features is not a multiple of heads, PyTorch's RuntimeError is raised: check first and raise ValueError.")

merges_without_swapping = mistake.edited("x.transpose(1, 2).contiguous().view", "x.reshape",
    "The heads were merged before they were next to the width: swap the axes of heads and time back first, then "
    "merge.",
    about=("merging_puts_the_heads_side_by_side", "the_merged_tensor_is_contiguous"))

not_always_contiguous = mistake.edited(
    "return x.transpose(1, 2).contiguous().view(batch, time, heads * width)",
    "return x.transpose(1, 2).flatten(2)",
    "With one head your result can be a view that is not contiguous: reshape copies only if it must. Call contiguous().")

leaves_the_heads_apart = mistake.edited(
    "return x.transpose(1, 2).contiguous().view(batch, time, heads * width)",
    "return x.transpose(1, 2).contiguous()",
    "Your result still has four axes: after swapping, merge the last two into one of size heads * width.")

weaves_the_heads = mistake.edited(
    "return x.transpose(1, 2).contiguous().view(batch, time, heads * width)",
    "return x.permute(0, 2, 3, 1).flatten(2).contiguous()",
    "The features of the heads are interleaved: heads must come before width when you merge the two.")

leaves_the_last_size_open = mistake.edited(
    "return x.transpose(1, 2).contiguous().view(batch, time, heads * width)",
    "return x.transpose(1, 2).reshape(batch, time, -1).contiguous()",
    "In a tensor without elements PyTorch can't infer a size given as -1: write heads * width.")


@mistake("split_heads")
def stacks_the_chunks(x, heads):
    """Stacking pieces copies them, and chunk cuts uneven pieces without an error. Check that the features divide, then
    use view and transpose."""
    return torch.stack(x.chunk(heads, dim=-1), dim=1)


views_without_contiguous = mistake.edited(
    "x.transpose(1, 2).contiguous().view",
    "x.transpose(1, 2).view",
    "After a transpose, view raises an error or gives a result that is not contiguous: call contiguous() in between.",
    about=("merging_puts_the_heads_side_by_side", "the_merged_tensor_is_contiguous"))


joins_the_heads_along_time = mistake.edited(
    "return x.transpose(1, 2).contiguous().view(batch, time, heads * width)",
    "return x.reshape(batch, heads * time, width)",
    "You joined the heads along time, so the result is (batch, heads * time, width): the features of all heads "
    "belong side by side, in the last axis.",
    about=("merging_puts_the_heads_side_by_side", "the_merged_tensor_is_contiguous"))


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
