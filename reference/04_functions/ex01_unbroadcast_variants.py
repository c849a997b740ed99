"""Known mistakes and odd-but-correct solutions for unbroadcast."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write grad.shape above shape, lined up from the right. Which axes differ, and in which two ways can they differ?",
    "An element that broadcasting used many times gets the sum of the gradients of all its uses. Axes"
    " that shape lacks disappear; axes of size 1 are summed and stay.",
    "Count how many axes were added on the left. Sum over those and over every axis whose size in shape"
    " is 1, in one call; then only the form is left to restore. Sum with an empty list of axes sums"
    " everything, so think of that case, and of shapes that do not fit at all.",
)

EQUIVALENT = {
    "drop_keyword-L9-1": "where added is not negative, both have the same length",
    "change_logic-L9-3": "where added is negative the lengths differ, and zip with strict=True raises ValueError too",
    "toggle_keepdim-L13-1": "reshape follows, which restores the form in any case",
    "swap_view-L13-1": "only axes of size 1 are put in, which is possible for a view of any layout",
}


def fits(shape, other):
    """Whether shape broadcasts to other."""
    added = len(other) - len(shape)
    return added >= 0 and all(a in (1, b) for a, b in zip(shape, other[added:], strict=True))


def check(grad, shape):
    """Raise as the exercise asks."""
    if not fits(shape, grad.shape):
        raise ValueError("shape does not broadcast to grad.shape")


@mistake("unbroadcast")
def sums_only_added_axes(grad, shape):
    """Only the axes that broadcasting added on the left were summed: axes of size 1 in shape were stretched
    too.
    """
    check(grad, shape)
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    return grad


@mistake("unbroadcast")
def asks_a_tuple_for_numel(grad, shape):
    """shape may be a plain tuple, which has no numel() or other method of torch.Size: math.prod(shape) counts, or make a torch.Size
    of it."""
    check(grad, shape)
    return grad.reshape(shape) if shape.numel() == grad.numel() else grad.sum_to_size(shape)


@mistake("unbroadcast")
def sums_only_axes_of_size_one(grad, shape):
    """Only the axes of size 1 were summed: axes that shape does not have at all must be summed away as
    well.
    """
    check(grad, shape)
    added = grad.dim() - len(shape)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(added + axis, keepdim=True)
    return grad


@mistake("unbroadcast")
def averages_instead_of_summing(grad, shape):
    """The uses of an element were averaged: each use adds its own share, so take the sum."""
    check(grad, shape)
    added = grad.dim() - len(shape)
    axes = [*range(added), *(added + i for i, size in enumerate(shape) if size == 1)]
    return grad.mean(axes).reshape(shape) if axes else grad


@mistake("unbroadcast")
def squeezes_axes_of_size_one(grad, shape):
    """Axes of size 1 disappeared: the result must have exactly the given shape, with its 1s (keepdim=True
    keeps them).
    """
    check(grad, shape)
    added = grad.dim() - len(shape)
    axes = [*range(added), *(added + i for i, size in enumerate(shape) if size == 1)]
    return grad.sum(axes) if axes else grad


@mistake("unbroadcast")
def reshapes_and_sums_the_front(grad, shape):
    """The right shape with scrambled numbers: a reshape only cuts memory into new pieces. Sum over the
    stretched axes.
    """
    check(grad, shape)
    size = max(1, torch.Size(shape).numel())
    return grad.reshape(grad.numel() // size, *shape).sum(0) if grad.numel() else grad.new_zeros(shape)


@mistake("unbroadcast")
def keeps_the_first_use(grad, shape):
    """Only the first use of each element was counted: all uses add up."""
    check(grad, shape)
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
    check(grad, shape)
    for axis, size in enumerate(shape):
        if size == 1:
            grad = grad.sum(axis, keepdim=True)
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    return grad


@mistake("unbroadcast")
def accepts_any_shape(grad, shape):
    """A shape that does not broadcast to grad's was not refused: compare the sizes first and raise
    ValueError.
    """
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    for axis in range(grad.dim()):
        if shape[axis] != grad.shape[axis]:
            grad = grad.sum(axis, keepdim=True)
    return grad


@mistake("unbroadcast")
def raises_the_wrong_error(grad, shape):
    """A shape that does not broadcast was refused with RuntimeError: the exercise asks for ValueError."""
    return grad.sum_to_size(tuple(shape))


@mistake("unbroadcast")
def loses_the_graph(grad, shape):
    """The result has no history: detach, .data and no_grad cut it off, and then nothing can be
    differentiated twice.
    """
    check(grad, shape)
    return grad.detach().sum_to_size(shape)


@mistake("unbroadcast")
def skips_axes_stretched_to_nothing(grad, shape):
    """An axis of size 1 that was stretched to size 0 stayed empty: its gradient is the sum of nothing, 0. Sum every axis
    of size 1, or every axis whose sizes differ.
    """
    check(grad, shape)
    added = grad.dim() - len(shape)
    axes = [*range(added), *(added + i for i, size in enumerate(shape) if size == 1 and grad.shape[added + i] > 1)]
    return grad.sum(axes).reshape(shape) if axes else grad


@mistake("unbroadcast")
def sums_over_an_empty_list_of_axes(grad, shape):
    """Where nothing was stretched there is no axis to sum, but sum with an empty list of axes sums everything: give grad back
    there."""
    check(grad, shape)
    added = grad.dim() - len(shape)
    axes = [*range(added), *(added + i for i, size in enumerate(shape) if size == 1)]
    return grad.sum(axes).reshape(shape)


@mistake("unbroadcast")
def lets_grad_be_stretched_too(grad, shape):
    """A shape that is larger than grad's was not refused: it must broadcast to grad's shape, and grad itself must not be
    stretched.
    """
    try:
        torch.broadcast_shapes(grad.shape, tuple(shape))
    except RuntimeError as error:
        raise ValueError("shapes do not fit") from error
    while grad.dim() > len(shape):
        grad = grad.sum(0)
    for axis in range(grad.dim()):
        if shape[axis - grad.dim() + len(shape)] == 1:
            grad = grad.sum(axis, keepdim=True)
    return grad


@mistake("unbroadcast")
def needs_a_view_of_grad(grad, shape):
    """A gradient that is not contiguous raised: view needs a certain memory layout; use reshape, or sum alone."""
    check(grad, shape)
    grad = grad.view(-1).view(grad.shape)
    return grad.sum_to_size(tuple(shape))


@mistake("unbroadcast")
def sums_in_float32(grad, shape):
    """The sums lost half of their float64 digits: they were made in float32. Keep the dtype of grad."""
    try:
        return grad.float().sum_to_size(shape).to(grad.dtype)
    except RuntimeError:
        raise ValueError(f"{tuple(shape)} does not broadcast to {tuple(grad.shape)}") from None




@alternative("unbroadcast")
def with_sum_to_size(grad, shape):
    """PyTorch's method, with its RuntimeError turned into ValueError."""
    try:
        return grad.sum_to_size(tuple(shape))
    except RuntimeError as error:
        raise ValueError(f"{tuple(shape)} does not broadcast to {tuple(grad.shape)}") from error


@alternative("unbroadcast")
def one_axis_at_a_time(grad, shape):
    """A loop over axes from the right, then over the rest, as one would on paper."""
    if len(shape) > grad.dim():
        raise ValueError("too many axes")
    for back in range(1, len(shape) + 1):
        if shape[-back] == grad.shape[-back]:
            continue
        if shape[-back] != 1:
            raise ValueError(f"axis {-back}: {shape[-back]} does not stretch to {grad.shape[-back]}")
        grad = grad.sum(-back, keepdim=True)
    while grad.dim() != len(shape):
        grad = grad.sum(dim=0)
    return grad


@alternative("unbroadcast")
def with_einsum(grad, shape):
    """An einsum that leaves the stretched axes out, then a reshape."""
    check(grad, shape)
    added = grad.dim() - len(shape)
    kept = [axis for axis in range(added, grad.dim()) if shape[axis - added] != 1]
    return torch.einsum(grad, list(range(grad.dim())), kept).reshape(tuple(shape))
