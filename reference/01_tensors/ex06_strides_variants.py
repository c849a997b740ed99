"""Known mistakes and unusual but correct solutions for contiguous_strides, is_contiguous and flat_view."""

import math

import torch
from ex06_strides import contiguous_strides as row_by_row

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: return t.view(-1).detach()": "nothing is promised about gradients",
    "drop_keyword: size == 1 or step == want for size, step, want in zip(shape, stride, expected)": "shape and stride have the same length",
}

HINTS = (
    "Take a (2, 3) tensor and number its six positions in memory. How far is it to the next column, and to "
    "the next row?",
    "Go through the axes from right to left and keep a running product of the sizes seen so far: that product "
    "is the stride of the next axis. For flat_view, PyTorch has one method that never copies: it raises an "
    "error instead.",
    "is_contiguous: compare with the running product axis by axis, skip axes of size 1, and return True at "
    "once when a size is 0. flat_view: call view with -1 inside try, and return None in the except branch.",
)


zero_times_everything = mistake.edited("step *= max(size, 1)", "step *= size",
    "An axis of size 0 made the strides to its left 0: PyTorch counts it as 1 when it works out strides.")

column_by_column = mistake.edited("for size in reversed(shape):", "for size in shape:",
    "Your first axis has stride 1: that is column by column. In PyTorch the last axis has stride 1.",
    also=[("tuple(reversed(strides))", "tuple(strides)")])

turned_round = mistake.edited("tuple(reversed(strides))", "tuple(strides)",
    "Your strides are in reverse order: the last axis has stride 1, so the tuple must end with 1.")

counted_in_bytes = mistake.edited("strides, step = [], 1", "strides, step = [], 4",
    "Your strides are four times too large, as if they counted the bytes of float32: PyTorch counts elements, so the"
    " last axis has stride 1.",
    pitfall="Strides count elements, not bytes")

includes_its_own_axis = mistake.edited(
    "strides.append(step)\nstep *= max(size, 1)", "step *= max(size, 1)\nstrides.append(step)",
    "Each stride was multiplied by the size of its own axis: only the axes to its right count.")

strict_about_single_entries = mistake.edited("size == 1 or step == want", "step == want",
    "You returned False because of the stride of an axis of size 1: no step is ever taken along such an axis, so any value is fine.")

strict_about_empty_tensors = mistake.edited("return 0 in shape or all(", "return all(",
    "You returned False for tensors without elements: they are contiguous, whatever their strides.")


@mistake("is_contiguous")
def strides_only_fall(shape, stride):
    """Strides that fall from left to right may still leave gaps between rows. Each stride must be exactly the product
    of the sizes to its right."""
    used = [step for size, step in zip(shape, stride, strict=True) if size != 1]
    return 0 in shape or all(a >= b for a, b in zip(used, used[1:]))


@mistake("is_contiguous")
def looks_at_the_last_axis_only(shape, stride):
    """You returned True wherever the last stride is 1 or the last axis has size 1: check the strides of the other axes, too."""
    return 0 in shape or not shape or shape[-1] == 1 or stride[-1] == 1


reshape_copies = mistake.edited("return t.view(-1)", "return t.reshape(-1)",
    "Your result is a copy where a view is impossible: reshape and flatten, for example, copy silently. view raises "
    "an error; return None then.")

contiguous_then_view = mistake.edited("return t.view(-1)", "return t.contiguous().view(-1)",
    "Your result is a copy where t is not contiguous, as after t.contiguous(), so writing to it does not change t. "
    "Try the view of t itself.")

only_if_contiguous = mistake.edited("return t.view(-1)", "return t.view(-1) if t.is_contiguous() else None",
    "You returned None for every tensor that is not contiguous: x[::2] and one column of a matrix are not contiguous, yet "
    "a flat view of them exists. Try the view itself.",
    pitfall='"Contiguous" is not the question')

lets_the_error_through = mistake.edited("return None", "raise",
    "The RuntimeError of view reached the caller: catch it and return None.")

empty_in_front_only = mistake.edited("return 0 in shape or all(", "return 0 in shape[:1] or all(",
    "You returned False where an axis after the first has size 0: any axis of size 0 leaves a tensor without elements, and that is contiguous.")


@mistake("contiguous_strides")
def divides_in_floats(shape):
    """Large strides are slightly off, as in floats, which hold integers exactly only up to 2**53: use ints, `*` and
    `//`."""
    left, strides = float(math.prod(max(n, 1) for n in shape)), []
    for n in shape:
        left /= max(n, 1)
        strides.append(int(left))
    return tuple(strides)


reshapes_integers = mistake.edited("return None", "return None if t.is_floating_point() else t.reshape(-1)",
    "Where a view is impossible, integer tensors come back as copies: the rule is the same for every dtype.")

integers_come_back_as_floats = mistake.edited(
    "return t.view(-1)", "return t.view(-1) if t.is_floating_point() else t.view(-1).float()",
    "Integers or booleans became floats, and a conversion copies: a view keeps the dtype and the memory of t.")

begins_where_the_memory_begins = mistake.edited(
    "return t.view(-1)", "return torch.as_strided(flat := t.view(-1), flat.shape, flat.stride(), 0)",
    "Your view starts where the storage starts, but a column or a slice starts later: if you use as_strided, pass "
    "t.storage_offset(), or omit it.")


@mistake("flat_view")
def compares_the_first_two_axes(t):
    """With three or more axes that are not adjacent in memory, the result has the wrong elements: check every pair
    of neighboring axes, not only the first two."""
    axes = [(size, step) for size, step in zip(t.shape, t.stride(), strict=True) if size != 1]
    if t.numel() == 0:
        return t.view(-1)
    if len(axes) > 1 and axes[0][1] != axes[1][0] * axes[1][1]:
        return None
    return t.as_strided((t.numel(),), (axes[-1][1] if axes else 1,), t.storage_offset())


sizes_of_zero_are_skipped = mistake.edited(
    "return 0 in shape or all(\n    size == 1 or",
    "return all(\n    size <= 1 or",
    "A tensor without elements is contiguous whatever its strides: one axis of size 0 is enough, and the strides of "
    "the other axes no longer matter.")


@mistake("is_contiguous")
def strides_fall_and_end_with_one(shape, stride):
    """Strides that fall and end with 1 may still leave gaps, or let rows overlap. Each stride must be exactly the
    product of the sizes to its right, except along axes of size 1."""
    return 0 in shape or not shape or (stride[-1] == 1 and all(a >= b for a, b in zip(stride, stride[1:])))


@mistake("flat_view")
def only_if_the_strides_are_usual(t):
    """You returned None for tensors whose strides are not those of a new tensor: x[::2] and one column of a matrix have
    others, yet a flat view of them exists. Try the view itself."""
    return t.view(-1) if 0 in t.shape or t.stride() == row_by_row(t.shape) else None


a_number_has_a_stride = mistake.edited(
    "return tuple(reversed(strides))",
    "return tuple(reversed(strides)) or (1,)",
    "A shape without axes has no strides: () must give ().",
    also=[("expected = contiguous_strides(shape)", "expected = row_by_row(shape)")])


asks_a_tensor = mistake.edited(
    "return tuple(reversed(strides))",
    "return torch.empty(shape).stride()",
    "Don't make a tensor to ask it for its strides: for large shapes there is not enough memory. Products of ints "
    "are enough.",
    also=[("expected = contiguous_strides(shape)", "expected = row_by_row(shape)")])


@alternative()
def recursion_and_a_running_product():
    """Recursive strides, and contiguity checked while the product grows."""

    def contiguous_strides(shape):
        if len(shape) == 0:
            return ()
        rest = contiguous_strides(shape[1:])
        return (max(shape[1], 1) * rest[0] if rest else 1, *rest)

    def is_contiguous(shape, stride):
        if math.prod(shape) == 0:
            return True
        product = 1
        for axis in range(len(shape) - 1, -1, -1):
            if shape[axis] == 1:
                continue
            if stride[axis] != product:
                return False
            product = product * shape[axis]
        return True

    return {"contiguous_strides": contiguous_strides, "is_contiguous": is_contiguous}


@alternative("contiguous_strides")
def as_a_torch_size(shape):
    """torch.Size is a tuple of ints, however large."""
    return torch.Size(row_by_row(shape))


@alternative("flat_view")
def merges_the_axes_by_hand(t):
    """Axes that are longer than 1 must merge into one with a single step."""
    if t.numel() == 0:
        return t.view(-1)
    axes = [(size, step) for size, step in zip(t.shape, t.stride(), strict=True) if size != 1]
    for (_, outer), (size, step) in zip(axes, axes[1:], strict=False):
        if outer != size * step:
            return None
    return t.as_strided((t.numel(),), (axes[-1][1] if axes else 1,))


@alternative("flat_view")
def asks_for_the_full_length(t):
    """view with the length written out."""
    flat = None
    try:
        flat = t.view(t.numel())
    except RuntimeError:
        pass
    return flat


multiplies_by_its_own_size = mistake.edited(
    "for size in reversed(shape):\n    strides.append(step)\n    step *= max(size, 1)",
    "for size in reversed(shape):\n    step *= max(size, 1) if strides else 1\n    strides.append(step)",
    "You multiply the stride on the right by the size of the axis itself: multiply it by the size of the axis on the right.")

begins_with_the_sizes_on_the_left = mistake.edited(
    "for size in reversed(shape):", "for size in shape:",
    "You multiply the sizes from the left: the stride of an axis is the product of the sizes to its right, so begin with the last one.",
    also=[("expected = contiguous_strides(shape)", "expected = row_by_row(shape)")])
