"""Known mistakes and unusual but correct solutions for unbroadcast."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write grad.shape above shape, aligned at the right. Which axes differ, and in which two ways can they "
    "differ?",
    "An element that broadcasting used many times gets the sum of the gradients of all its uses. Axes that "
    "shape lacks disappear; axes of size 1 are summed and kept.",
    "Count how many axes were added on the left. Sum over those and over every axis whose size in shape is 1, "
    "in one call; then only the shape is left to restore. Sum with an empty list of axes sums everything, so "
    "think of that case.",
)

EQUIVALENT = {
    "toggle_keepdim: return grad.sum(axes, keepdim=True).reshape(shape) if axes else grad": "reshape follows, which restores the form in any case",
    "swap_view: return grad.sum(axes).view(shape) if axes else grad": "only axes of size 1 are put in, which is possible for a view of any layout",
}


sums_only_added_axes = mistake.edited("axes = [*range(added), *repeated]", "axes = list(range(added))",
    "Only the axes that broadcasting added on the left were summed: axes of size 1 in shape were expanded too.",
    also=[("return grad.sum(axes).reshape(shape) if axes else grad", "return grad.sum(axes) if axes else grad")], common=True,
    pitfall="Summing only the axes on the left")

asks_a_tuple_for_numel = mistake.edited(
    "return grad.sum(axes).reshape(shape) if axes else grad",
    "return grad.reshape(shape) if shape.numel() == grad.numel() else grad.sum_to_size(shape)",
    "shape may be a plain tuple, which has no numel() or other method of torch.Size: math.prod(shape) counts, or make a "
    "torch.Size of it.")

sums_only_axes_of_size_one = mistake.edited("axes = [*range(added), *repeated]", "axes = repeated",
    "Only the axes of size 1 were summed: axes that shape does not have at all must be summed away as well.",
    also=[("grad.sum(axes).reshape(shape)", "grad.sum(axes, keepdim=True)")])

averages_instead_of_summing = mistake.edited("grad.sum(axes)", "grad.mean(axes)",
    "The contributions of each use of an element were averaged: they add up, so take the sum.")

squeezes_axes_of_size_one = mistake.edited("grad.sum(axes).reshape(shape)", "grad.sum(axes)",
    "Axes of size 1 disappeared: the result must have exactly the given shape, with its 1s (keepdim=True keeps them).")


@mistake("unbroadcast")
def reshapes_and_sums_the_front(grad, shape):
    """The right shape with scrambled numbers: a reshape only regroups the numbers. Sum over the expanded axes."""
    size = max(1, torch.Size(shape).numel())
    return grad.reshape(grad.numel() // size, *shape).sum(0) if grad.numel() else grad.new_zeros(shape)


keeps_the_first_use = mistake.edited(
    "return grad.sum(axes).reshape(shape) if axes else grad",
    "grad = grad[(0,) * added]\nfor axis in repeated:\n    grad = grad.narrow(axis - added, 0, 1)\nreturn grad",
    "Only the first use of each element was counted: all uses add up.")


@mistake("unbroadcast")
def counts_axes_from_the_left(grad, shape):
    """Axis numbers of shape were used on grad, but broadcasting lines shapes up from the right: move them
    by the number of added axes.
    """
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis, keepdim=True)
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    return grad

compares_from_the_left = mistake.edited(
    "axes = [*range(added), *repeated]",
    "axes = [axis for axis in range(grad.dim()) if axis >= len(shape) or grad.shape[axis] != shape[axis]]",
    "The two shapes were compared from the left: broadcasting lines them up from the right, so shape lacks its first axes.")

axes_move_while_summing = mistake.edited(
    "return grad.sum(axes).reshape(shape) if axes else grad",
    """
    for axis in range(added):
        grad = grad.sum(axis)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis, keepdim=True)
    return grad
    """,
    "Once an added axis is summed away, the next one has its number: with several, sum axis 0 again and again, or all in one call.")

repeated_axes_move_while_summing = mistake.edited(
    "return grad.sum(axes).reshape(shape) if axes else grad",
    """
    for _ in range(added):
        grad = grad.sum(0)
    for axis, size in enumerate(shape):
        if size == 1 and grad.shape[axis] != 1:
            grad = grad.sum(axis)
    return grad
    """,
    "An axis that should have size 1 was summed away, and the axes after it have moved: keep it, with keepdim=True.")


loses_the_graph = mistake.edited("grad.sum(axes).reshape(shape) if axes else grad", "grad.detach().sum_to_size(shape)",
    "The result has no history: detach, .data and no_grad cut it off, so nothing can be differentiated twice.")

skips_axes_stretched_to_nothing = mistake.edited("if size == 1]", "if size == 1 and grad.shape[added + axis] > 1]",
    "An axis of size 1 that was expanded to size 0 stayed empty: its gradient is the sum of nothing, 0. Sum every axis of "
    "size 1, or every axis whose sizes differ.")

reshapes_axes_stretched_to_nothing = mistake.edited("if size == 1]", "if size == 1 and grad.shape[added + axis] > 1]",
    "An axis of size 1 that was expanded to size 0 has to be summed, too, which gives 0: sum every axis that has size 1 in shape.",
    also=[("return grad.sum(axes).reshape(shape) if axes else grad", "return (grad.sum(axes) if axes else grad).reshape(shape)")])

sums_over_an_empty_list_of_axes = mistake.edited(" if axes else grad", "",
    "Where nothing was expanded there is no axis to sum, but sum with an empty list of axes sums everything: return grad "
    "there.")

needs_a_view_of_grad = mistake.edited(
    "return grad.sum(axes).reshape(shape) if axes else grad",
    "return grad.view(-1).view(grad.shape).sum_to_size(tuple(shape))",
    "A gradient that is not contiguous raised an error: view needs a certain memory layout; use reshape, or sum alone.")

sums_in_float32 = mistake.edited(
    "return grad.sum(axes).reshape(shape) if axes else grad",
    "return grad.float().sum_to_size(shape).to(grad.dtype)",
    "The sums lost half of their float64 digits, as in float32. Keep the dtype of grad.")

with_sum_to_size = alternative.edited(
    "return grad.sum(axes).reshape(shape) if axes else grad", "return grad.sum_to_size(tuple(shape))",
    "PyTorch's own method.")


@alternative("unbroadcast")
def one_axis_at_a_time(grad, shape):
    """A loop over axes from the right, then over the rest, as one would on paper."""
    for back in range(1, len(shape) + 1):
        if shape[-back] == grad.shape[-back]:
            continue
        grad = grad.sum(-back, keepdim=True)
    while grad.dim() != len(shape):
        grad = grad.sum(dim=0)
    return grad


@alternative("unbroadcast")
def with_einsum(grad, shape):
    """An einsum that leaves the stretched axes out, then a reshape."""
    added = grad.dim() - len(shape)
    kept = [axis for axis in range(added, grad.dim()) if shape[axis - added] != 1]
    return torch.einsum(grad, list(range(grad.dim())), kept).reshape(tuple(shape))
