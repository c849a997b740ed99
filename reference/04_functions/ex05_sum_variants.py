"""Known mistakes and unusual but correct solutions for Sum."""

import torch
from torch.autograd.function import once_differentiable  # noqa: F401 (for an edit)

from torchdojo.variants import alternative, mistake

HINTS = (
    "Each element of x is used once, in one element of the result. Which element of grad belongs to it?",
    "The gradient is grad, repeated along the summed axes. Before it can be repeated, these axes must be"
    " there again, with size 1, whatever keepdim was. Numbers and booleans have no gradient.",
    "In forward keep two shapes on ctx: that of x, and the same with a 1 at each summed axis (a negative"
    " axis number works in a list as well). In backward go from grad to the second shape to the first,"
    " without writing into anything.",
)

EQUIVALENT = {
    "swap_view: return grad.view(ctx.kept).expand(ctx.shape), None, None": "only axes of size 1 are put in, which is possible for a view of any layout",
}


expands_without_the_lost_axis = mistake.edited("grad.reshape(ctx.kept).expand(ctx.shape)", "grad.expand(ctx.shape)",
    "grad was expanded while the summed axis was missing: broadcasting then lines it up from the right. Put the axis back "
    "with size 1 first.",
    pitfall="expanding grad to x's shape right away")

always_puts_the_axis_back = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    "for axis in ctx.axes:\n    grad = grad.unsqueeze(axis)\nreturn grad.expand(ctx.shape), None, None",
    "With keepdim True the summed axis is still there: put it back only if it is gone, or reshape to a shape that fits "
    "both cases.",
    also=[("return x.sum(dim, keepdim=keepdim)",
         "ctx.axes = sorted(axis % x.dim() for axis in axes)\nreturn x.sum(dim, keepdim=keepdim)")])

puts_axes_back_in_the_given_order = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    "for axis in ctx.axes:\n    grad = grad.unsqueeze(axis)\nreturn grad.expand(ctx.shape), None, None",
    "The axes of a tuple were put back in the order they were given: unsqueeze counts the axes present at that moment, so "
    "turn negative ones positive and go from small to large.",
    also=[("return x.sum(dim, keepdim=keepdim)", "ctx.axes = () if keepdim else axes\nreturn x.sum(dim, keepdim=keepdim)")])

does_not_sort_the_axes = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    "for axis in ctx.axes:\n    grad = grad.unsqueeze(axis)\nreturn grad.expand(ctx.shape), None, None",
    "The axes of a tuple were put back in the order they were given: an axis can be put back only after those before it, so sort "
    "them first.",
    also=[("return x.sum(dim, keepdim=keepdim)",
         "ctx.axes = () if keepdim else [axis % x.dim() for axis in axes]\nreturn x.sum(dim, keepdim=keepdim)")])

takes_one_axis_only = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    """
    if ctx.dim is not None:
        grad = grad.unsqueeze(ctx.dim)
    return grad.expand(ctx.shape), None, None
    """,
    "dim may be a tuple, and unsqueeze puts back only one axis, given as an int: put back each of them, from small to large.",
    also=[("return x.sum(dim, keepdim=keepdim)", "ctx.dim = None if keepdim else dim\nreturn x.sum(dim, keepdim=keepdim)")])

takes_axis_zero_for_none = mistake.edited("axes = range", "dim = dim or None\naxes = range",
    'dim 0 was taken for "no axis": 0 counts as False in an if. Test `dim is None`.')

divides_like_a_mean = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    """
    many = max(1, torch.Size(ctx.shape).numel() // max(1, torch.Size(ctx.kept).numel()))
    return (grad / many).reshape(ctx.kept).expand(ctx.shape), None, None
    """,
    "The gradient was divided by the number of summed elements: that is the rule for the mean. In a sum each element "
    "counts fully.")

returns_ones = mistake.edited("grad.reshape(ctx.kept).expand(ctx.shape)", "grad.new_ones(ctx.shape)",
    "backward returned the derivative alone, all ones: multiply it by the upstream gradient.",
    about=("summed_axes_that_stay", "grad_is_only_read"), common=True)

leaves_size_one = mistake.edited("grad.reshape(ctx.kept).expand(ctx.shape)", "grad.reshape(ctx.kept)",
    "The gradient of x has size 1 along the summed axes: repeat it (expand) until it has the shape of x.")

forgets_the_other_arguments = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    "return grad.reshape(ctx.kept).expand(ctx.shape)",
    "backward returned one value for three arguments: return one for each, in order, and None for dim and keepdim.",
    common=True)

gradient_for_dim = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    "return grad.reshape(ctx.kept).expand(ctx.shape), grad.new_zeros(()), grad.new_zeros(())",
    "dim and keepdim got a gradient: an argument without a gradient gets None.")

saves_x_for_its_shape = mistake.edited(
    "ctx.shape, ctx.kept = x.shape, list(x.shape)", "ctx.kept = list(x.shape)\nctx.save_for_backward(x)",
    "backward refused to work after x was edited, though the gradient of a sum does not need x: keep x.shape instead of x.",
    also=[("return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
         "(x,) = ctx.saved_tensors\nreturn grad.reshape(ctx.kept).expand(x.shape), None, None")])

forward_ignores_keepdim = mistake.edited("return x.sum(dim, keepdim=keepdim)", "return x.sum(dim)",
    "forward dropped the summed axes although keepdim was True: pass keepdim on.")

forward_ignores_keepdim_for_none = mistake.edited(
    "return x.sum(dim, keepdim=keepdim)", "return x.sum() if dim is None else x.sum(dim, keepdim=keepdim)",
    "With dim None and keepdim True, the result lost its axes: all of them stay, with size 1.")

needs_a_view_of_grad = mistake.edited("grad.reshape(ctx.kept)", "grad.view(-1).reshape(ctx.kept)",
    "backward raised an error for a gradient that is not contiguous: view needs a certain memory layout; use reshape or unsqueeze.")

guesses_keepdim_from_sizes = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    """
    rank = len(ctx.shape)
    for axis in sorted(axis % rank for axis in ctx.axes) if rank and grad.dim() else ():
        if axis >= grad.dim() or grad.shape[axis] != 1:
            grad = grad.unsqueeze(axis)
    return grad.expand(ctx.shape), None, None
    """,
    "Where another axis has size 1, backward goes wrong, as when sizes are used to guess whether the summed axis is "
    "still there. Remember keepdim, or the shape with 1s.",
    also=[("return x.sum(dim, keepdim=keepdim)", "ctx.axes = axes\nreturn x.sum(dim, keepdim=keepdim)")])

negative_axes_out_of_order = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    "for axis in ctx.axes:\n    grad = grad.unsqueeze(axis)\nreturn grad.expand(ctx.shape), None, None",
    "Negative axes were put back before they were counted from the front: make them positive (axis % rank) before sorting.",
    also=[("return x.sum(dim, keepdim=keepdim)",
         "ctx.axes = () if keepdim else sorted(axes)\nreturn x.sum(dim, keepdim=keepdim)")])

returns_x_if_nothing_is_summed = mistake.edited(
    "return x.sum(dim, keepdim=keepdim)",
    """
    total = x.sum(dim, keepdim=keepdim)
    return x.view(total.shape) if total.numel() == x.numel() and x.is_contiguous() else total
    """,
    "An axis of size 1 was not summed at all, and the result shared x's memory: return a new tensor in every case.")

forgets_the_shape_after_use = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    "shape = ctx.shape\ndel ctx.shape\nreturn grad.reshape(ctx.kept).expand(shape), None, None",
    "backward works only once, because it discards what forward saved. Leave that to PyTorch, which frees it once it is no longer needed.")

cannot_take_a_number = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    """
    axes = sorted(axis % len(ctx.shape) for axis in ctx.axes or [0])
    for axis in () if ctx.keepdim else axes:
        grad = grad.unsqueeze(axis)
    return grad.expand(ctx.shape), None, None
    """,
    "A 0-dim x raised an error, though dim None is allowed for it: a shape without axes needs no special case if you keep the "
    "shape with 1s.",
    also=[("return x.sum(dim, keepdim=keepdim)",
         "ctx.axes, ctx.keepdim = axes, keepdim\nreturn x.sum(dim, keepdim=keepdim)")])

lets_autograd_work = mistake.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    """
    create_graph = torch.is_grad_enabled()
    with torch.enable_grad():
        x = torch.zeros(ctx.shape, dtype=grad.dtype, device=grad.device, requires_grad=True)
        total = x.sum(ctx.dim, keepdim=ctx.keepdim)
        return torch.autograd.grad(total, x, grad, create_graph=create_graph)[0], None, None
    """,
    "Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone.",
    also=[("return x.sum(dim, keepdim=keepdim)",
         "ctx.dim, ctx.keepdim = dim, keepdim\nreturn x.sum(dim, keepdim=keepdim)")],
    forbidden="autograd inside forward and backward")

kept_on_the_class = mistake.edited(
    "ctx.shape, ctx.kept = x.shape, list(x.shape)",
    "ctx.shape, ctx.kept = x.shape, list(x.shape)\nSum.shapes = ctx.shape, ctx.kept",
    "What backward needs is overwritten by the next call of apply: store it on ctx, which each call has for itself.",
    also=[("return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
         "shape, kept = Sum.shapes\nreturn grad.reshape(kept).expand(shape), None, None")])

keeps_all_of_x_for_its_shape = mistake.edited(
    "ctx.shape, ctx.kept = x.shape, list(x.shape)", "ctx.x, ctx.kept = x, list(x.shape)",
    "x itself is kept for backward, where its shape is enough: as long as the result lives, so does all of x.",
    also=[(".expand(ctx.shape)", ".expand_as(ctx.x)")])

a_number_comes_back_as_it_is = mistake.edited(
    "return x.sum(dim, keepdim=keepdim)", "return x.sum(dim, keepdim=keepdim) if x.dim() else x",
    "A 0-dim x was returned itself, since there is nothing to add up: the result must have its own memory in every case.")

differentiable_only_once = mistake.edited(
    "@staticmethod\ndef backward", "@staticmethod\n@once_differentiable\ndef backward",
    "The gradient cannot be differentiated: @once_differentiable, detach, .data and no_grad in backward detach it from "
    "the graph.")


@alternative("Sum")
class sorted_unsqueeze_in_setup_context(torch.autograd.Function):
    """The newer style; axes made positive, sorted, put back one by one; a copy at the end."""

    @staticmethod
    def forward(x, dim, keepdim):
        return torch.sum(x, dim, keepdim)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, dim, keepdim = inputs
        ctx.shape = x.shape
        axes = range(x.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
        ctx.missing = [] if keepdim else sorted(axis % x.dim() for axis in axes)

    @staticmethod
    def backward(ctx, grad):
        for axis in ctx.missing:
            grad = grad.unsqueeze(axis)
        return grad.expand(ctx.shape).clone(), None, None


times_ones = alternative.edited(
    "return grad.reshape(ctx.kept).expand(ctx.shape), None, None",
    "return grad.reshape(ctx.kept) * torch.ones(ctx.shape, dtype=grad.dtype, device=grad.device), None, None",
    "Broadcasts by multiplying with ones.")

result_is_a_view_of_its_own_sum = alternative.edited(
    "return x.sum(dim, keepdim=keepdim)",
    "total = x.sum(dim, keepdim=True)\nreturn total if keepdim else total.reshape(x.sum(dim).shape)",
    "Sums with keepdim and drops the axes afterwards, so that the result is a view of a new tensor.")
