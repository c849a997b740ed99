"""Known mistakes and odd-but-correct solutions for unbroadcast."""

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


@mistake("unbroadcast", common=True)
def sums_only_added_axes(grad, shape):
    """Only the axes that broadcasting added on the left were summed: axes of size 1 in shape were expanded too."""
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    return grad


@mistake("unbroadcast")
def asks_a_tuple_for_numel(grad, shape):
    """shape may be a plain tuple, which has no numel() or other method of torch.Size: math.prod(shape) counts, or make a torch.Size
    of it."""
    return grad.reshape(shape) if shape.numel() == grad.numel() else grad.sum_to_size(shape)


@mistake("unbroadcast")
def sums_only_axes_of_size_one(grad, shape):
    """Only the axes of size 1 were summed: axes that shape does not have at all must be summed away as
    well.
    """
    added = grad.dim() - len(shape)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(added + axis, keepdim=True)
    return grad


@mistake("unbroadcast")
def averages_instead_of_summing(grad, shape):
    """The contributions of each use of an element were averaged: they add up, so take the sum."""
    added = grad.dim() - len(shape)
    axes = [*range(added), *(added + i for i, size in enumerate(shape) if size == 1)]
    return grad.mean(axes).reshape(shape) if axes else grad


@mistake("unbroadcast")
def squeezes_axes_of_size_one(grad, shape):
    """Axes of size 1 disappeared: the result must have exactly the given shape, with its 1s (keepdim=True
    keeps them).
    """
    added = grad.dim() - len(shape)
    axes = [*range(added), *(added + i for i, size in enumerate(shape) if size == 1)]
    return grad.sum(axes) if axes else grad


@mistake("unbroadcast")
def reshapes_and_sums_the_front(grad, shape):
    """The right shape with scrambled numbers: a reshape only regroups the numbers. Sum over the expanded axes."""
    size = max(1, torch.Size(shape).numel())
    return grad.reshape(grad.numel() // size, *shape).sum(0) if grad.numel() else grad.new_zeros(shape)


@mistake("unbroadcast")
def keeps_the_first_use(grad, shape):
    """Only the first use of each element was counted: all uses add up."""
    for _ in range(grad.dim() - len(shape)):
        grad = grad[0]
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.narrow(axis, 0, 1)
    return grad


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


@mistake("unbroadcast")
def loses_the_graph(grad, shape):
    """The result has no history: detach, .data and no_grad cut it off, so nothing can be differentiated twice."""
    return grad.detach().sum_to_size(shape)


@mistake("unbroadcast")
def skips_axes_stretched_to_nothing(grad, shape):
    """An axis of size 1 that was expanded to size 0 stayed empty: its gradient is the sum of nothing, 0. Sum every
    axis of size 1, or every axis whose sizes differ."""
    added = grad.dim() - len(shape)
    axes = [*range(added), *(added + i for i, size in enumerate(shape) if size == 1 and grad.shape[added + i] > 1)]
    return grad.sum(axes).reshape(shape) if axes else grad


@mistake("unbroadcast")
def sums_over_an_empty_list_of_axes(grad, shape):
    """Where nothing was expanded there is no axis to sum, but sum with an empty list of axes sums everything:
    return grad there."""
    added = grad.dim() - len(shape)
    axes = [*range(added), *(added + i for i, size in enumerate(shape) if size == 1)]
    return grad.sum(axes).reshape(shape)


@mistake("unbroadcast")
def needs_a_view_of_grad(grad, shape):
    """A gradient that is not contiguous raised: view needs a certain memory layout; use reshape, or sum alone."""
    grad = grad.view(-1).view(grad.shape)
    return grad.sum_to_size(tuple(shape))


@mistake("unbroadcast")
def sums_in_float32(grad, shape):
    """The sums lost half of their float64 digits: they were made in float32. Keep the dtype of grad."""
    return grad.float().sum_to_size(shape).to(grad.dtype)


@alternative("unbroadcast")
def with_sum_to_size(grad, shape):
    """PyTorch's own method."""
    return grad.sum_to_size(tuple(shape))


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
