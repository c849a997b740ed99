"""Known mistakes and unusual but correct solutions for center."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print the shape of the mean and write it under the shape of X. Are the right axes aligned?",
    "A mean along an axis removes the axis. keepdim=True leaves it there with size 1, and an axis of size 1 "
    "is expanded over exactly the axis that was averaged.",
    "Take the mean of X along dim and ask for the axis to be kept; then subtract it from X. One line is "
    "enough.",
)


the_axis_is_not_kept = mistake.edited("return X - X.mean(dim, keepdim=True)", "return X - X.mean(dim)",
    "The mean lost its axis, so it was aligned with the wrong axis (or with none, which raises an error). Pass "
    "keepdim=True. For square inputs there is no error, only wrong numbers.",
    pitfall="A mean along an axis removes that axis")

always_the_first_axis = mistake.edited("return X - X.mean(dim, keepdim=True)", "return X - X.mean(0, keepdim=True)",
    "You always average along the first axis: use the axis dim.")

always_the_last_axis = mistake.edited("return X - X.mean(dim, keepdim=True)", "return X - X.mean(-1, keepdim=True)",
    "You always average along the last axis: use the axis dim.")

one_mean_for_all = mistake.edited("return X - X.mean(dim, keepdim=True)", "return X - X.mean()",
    "You subtracted one mean of all elements: each slice along dim has its own mean.",
    about=("columns_are_centered", "rows_are_centered"))


@mistake("center", about=("columns_are_centered", "rows_are_centered"))
def all_axes_but_dim(X, dim):
    """You averaged over the other axes: dim is the axis that is averaged, not the one that stays."""
    others = [axis for axis in range(X.dim()) if axis != dim % X.dim()]
    return X - X.mean(others, keepdim=True) if others else X.clone()


axis_put_back_at_the_end = mistake.edited(
    "return X - X.mean(dim, keepdim=True)", "return X - X.mean(dim).unsqueeze(-1)",
    "You put the lost axis back at the end: it belongs where it was. keepdim=True, or unsqueeze(dim).")


@mistake("center")
def three_axes_at_most(X, dim):
    """From the fourth axis on the wrong mean was taken: keepdim=True works for any number of axes."""
    if X.dim() > 3:
        return X - X.flatten(1).mean(1).reshape(-1, *[1] * (X.dim() - 1))
    return X - X.mean(dim, keepdim=True)


@mistake("center")
def writes_into_X(X, dim):
    """You changed the caller's X: X -= ... writes in place. Write X - ... and return the new tensor."""
    with torch.no_grad():
        X -= X.mean(dim, keepdim=True)
    return X


mean_without_gradient = mistake.edited(
    "return X - X.mean(dim, keepdim=True)", "return X - X.mean(dim, keepdim=True).detach()",
    "No gradient flows through the mean: compute it from X without detach, .data, no_grad or Python numbers.")

divides_too = mistake.edited(
    "X - X.mean(dim, keepdim=True)",
    "(X - X.mean(dim, keepdim=True)) / (X.std(dim, keepdim=True, correction=0) + 1e-6)",
    "You also divided by the standard deviation: only subtract the mean.",
    about=("columns_are_centered", "rows_are_centered"))

another_name_for_dim = mistake.edited("dim: int", "axis",
    "The second argument must be called dim, because callers may pass it by name: don't change the first line of the "
    "function.",
    also=[("return X - X.mean(dim, keepdim=True)", "return X - X.mean(axis, keepdim=True)")])


@mistake("center")
def dim_is_0_or_1(X, dim):
    """Your code treats every dim except 0 like dim 1: dim may be negative, and X may have another number of axes. Pass
    dim itself to mean, with keepdim=True."""
    return X - X.mean(0 if dim == 0 else 1, keepdim=True)


@alternative("center")
def sum_and_unsqueeze(X, dim):
    """The mean as a sum, its axis put back by hand."""
    count = X.size(dim)
    return X - (X.sum(dim) / max(count, 1)).unsqueeze(dim)


@alternative("center")
def by_moving_the_axis(X, dim):
    """The axis moved to the front, where broadcasting needs no help."""
    front = X.movedim(dim, 0)
    return (front - front.mean(0)).movedim(0, dim)


@alternative("center")
def as_a_projection(X, dim):
    """A product with the matrix that takes the mean away."""
    count = X.size(dim)
    projection = torch.eye(count, dtype=X.dtype, device=X.device) - 1 / max(count, 1)
    return (X.movedim(dim, -1) @ projection).movedim(-1, dim)


@alternative("center")
def with_expanded_means(X, dim):
    """Means expanded to the full shape, then added with a minus sign."""
    means = torch.mean(X, dim=(dim,), keepdim=True).expand_as(X)
    return torch.add(X, means, alpha=-1)
