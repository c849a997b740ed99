"""Known mistakes and odd-but-correct solutions for Sum."""

import torch
from torch.autograd.function import once_differentiable

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


def listed(dim, rank):
    """The axes as a list."""
    return list(range(rank)) if dim is None else [dim] if isinstance(dim, int) else list(dim)


def kept_shape(shape, dim):
    """The shape with a 1 at each summed axis."""
    kept = list(shape)
    for axis in listed(dim, len(shape)):
        kept[axis] = 1
    return kept


class Base(torch.autograd.Function):
    """A right forward for the variants that only get backward wrong."""

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.shape, ctx.dim, ctx.keepdim = x.shape, dim, keepdim
        return x.sum(dim, keepdim=keepdim)


@mistake("Sum")
class expands_without_the_lost_axis(Base):
    """grad was expanded while the summed axis was missing: broadcasting then lines it up from the right.
    Put the axis back with size 1 first.
    """

    @staticmethod
    def backward(ctx, grad):
        return grad.expand(ctx.shape), None, None


@mistake("Sum")
class always_puts_the_axis_back(Base):
    """With keepdim True the summed axis is still there: put it back only if it is gone, or reshape to a
    shape that fits both cases.
    """

    @staticmethod
    def backward(ctx, grad):
        for axis in sorted(axis % len(ctx.shape) for axis in listed(ctx.dim, len(ctx.shape))):
            grad = grad.unsqueeze(axis)
        return grad.expand(ctx.shape), None, None


@mistake("Sum")
class puts_axes_back_in_the_given_order(Base):
    """The axes of a tuple were put back in the order they were given: unsqueeze counts the axes present at
    that moment, so turn negative ones positive and go from small to large.
    """

    @staticmethod
    def backward(ctx, grad):
        if not ctx.keepdim:
            for axis in listed(ctx.dim, len(ctx.shape)):
                grad = grad.unsqueeze(axis)
        return grad.expand(ctx.shape), None, None


@mistake("Sum")
class takes_axis_zero_for_none(torch.autograd.Function):
    """dim 0 was taken for "no axis": 0 counts as False in an if. Ask for `dim is None`."""

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        dim = dim or None
        ctx.shape, ctx.kept = x.shape, kept_shape(x.shape, dim)
        return x.sum(dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(ctx.kept).expand(ctx.shape), None, None


@mistake("Sum")
class divides_like_a_mean(Base):
    """The gradient was divided by the number of summed elements: that is the rule for the mean. In a sum
    each element counts fully.
    """

    @staticmethod
    def backward(ctx, grad):
        kept = kept_shape(ctx.shape, ctx.dim)
        many = max(1, torch.Size(ctx.shape).numel() // max(1, torch.Size(kept).numel()))
        return (grad / many).reshape(kept).expand(ctx.shape), None, None


@mistake("Sum", common=True)
class returns_ones(Base):
    """backward returned the derivative alone, all ones: multiply it by the upstream gradient."""

    @staticmethod
    def backward(ctx, grad):
        return grad.new_ones(ctx.shape), None, None


@mistake("Sum")
class leaves_size_one(Base):
    """The gradient of x has size 1 along the summed axes: repeat it (expand) until it has the shape of x."""

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(kept_shape(ctx.shape, ctx.dim)), None, None


@mistake("Sum", common=True)
class forgets_the_other_arguments(Base):
    """backward returned one value for three arguments: return one for each, in order, and None for dim and
    keepdim."""

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(kept_shape(ctx.shape, ctx.dim)).expand(ctx.shape)


@mistake("Sum")
class gradient_for_dim(Base):
    """dim and keepdim got a number: what has no gradient gets None."""

    @staticmethod
    def backward(ctx, grad):
        grad_x = grad.reshape(kept_shape(ctx.shape, ctx.dim)).expand(ctx.shape)
        return grad_x, grad.new_zeros(()), grad.new_zeros(())


@mistake("Sum")
class saves_x_for_its_shape(torch.autograd.Function):
    """backward refused to work after x was edited, though the gradient of a sum does not need x: keep
    x.shape instead of x.
    """

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.save_for_backward(x)
        ctx.dim = dim
        return x.sum(dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad.reshape(kept_shape(x.shape, ctx.dim)).expand(x.shape), None, None


@mistake("Sum")
class forward_ignores_keepdim(Base):
    """forward dropped the summed axes although keepdim was True: pass keepdim on."""

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.shape, ctx.dim = x.shape, dim
        return x.sum(dim)

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(kept_shape(ctx.shape, ctx.dim)).expand(ctx.shape), None, None


@mistake("Sum")
class needs_a_view_of_grad(Base):
    """backward raised for a gradient that is not contiguous: view needs a certain memory layout; use
    reshape or unsqueeze.
    """

    @staticmethod
    def backward(ctx, grad):
        flat = grad.view(-1)
        return flat.reshape(kept_shape(ctx.shape, ctx.dim)).expand(ctx.shape), None, None


@mistake("Sum")
class guesses_keepdim_from_sizes(Base):
    """Whether the summed axis is still there was guessed from its size: another axis may have size 1 as well. Remember
    keepdim, or the shape with 1s.
    """

    @staticmethod
    def backward(ctx, grad):
        rank = len(ctx.shape)
        if rank == 0 or grad.dim() == 0:
            return grad.expand(ctx.shape), None, None
        for axis in sorted(axis % rank for axis in listed(ctx.dim, rank)):
            if axis >= grad.dim() or grad.shape[axis] != 1:
                grad = grad.unsqueeze(axis)
        return grad.expand(ctx.shape), None, None


@mistake("Sum")
class negative_axes_out_of_order(Base):
    """Negative axes were put back before they were counted from the front: make them positive (axis % rank) before sorting."""

    @staticmethod
    def backward(ctx, grad):
        if not ctx.keepdim:
            for axis in sorted(listed(ctx.dim, len(ctx.shape))):
                grad = grad.unsqueeze(axis)
        return grad.expand(ctx.shape), None, None


@mistake("Sum")
class returns_x_if_nothing_is_summed(Base):
    """An axis of size 1 was not summed at all, and the result shared x's memory: return a new tensor in every case."""

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.shape, ctx.dim = x.shape, dim
        total = x.sum(dim, keepdim=keepdim)
        return x.view(total.shape) if total.numel() == x.numel() and x.is_contiguous() else total

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(kept_shape(ctx.shape, ctx.dim)).expand(ctx.shape), None, None


@mistake("Sum")
class forgets_the_shape_after_use(Base):
    """backward worked only once: it threw away what forward had kept. PyTorch frees it once it is no longer needed."""

    @staticmethod
    def backward(ctx, grad):
        shape = ctx.shape
        del ctx.shape
        return grad.reshape(kept_shape(shape, ctx.dim)).expand(shape), None, None


@mistake("Sum")
class cannot_take_a_number(Base):
    """A 0-dim x raised, though dim None is allowed for it: a shape without axes needs no case of its own if you keep the
    shape with 1s.
    """

    @staticmethod
    def backward(ctx, grad):
        rank = len(ctx.shape)
        axes = sorted(axis % rank for axis in (listed(ctx.dim, rank) or [0]))
        if not ctx.keepdim:
            for axis in axes:
                grad = grad.unsqueeze(axis)
        return grad.expand(ctx.shape), None, None


@mistake("Sum")
class lets_autograd_work(Base):
    """Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone."""

    @staticmethod
    def backward(ctx, grad):
        create_graph = torch.is_grad_enabled()
        with torch.enable_grad():
            x = torch.zeros(ctx.shape, dtype=grad.dtype, device=grad.device, requires_grad=True)
            total = x.sum(ctx.dim, keepdim=ctx.keepdim)
            return torch.autograd.grad(total, x, grad, create_graph=create_graph)[0], None, None


@mistake("Sum")
class kept_on_the_class(torch.autograd.Function):
    """What backward needs was kept on the class, where the next call of apply overwrites it: keep it on ctx, which
    each call has for itself."""

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        kept_on_the_class.shapes = x.shape, kept_shape(x.shape, dim)
        return x.sum(dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        shape, kept = kept_on_the_class.shapes
        return grad.reshape(kept).expand(shape), None, None


@mistake("Sum")
class keeps_all_of_x_for_its_shape(torch.autograd.Function):
    """x itself is kept for backward, where its shape is enough: as long as the result lives, so does all of x."""

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.x, ctx.kept = x, kept_shape(x.shape, dim)
        return x.sum(dim, keepdim=keepdim)

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(ctx.kept).expand_as(ctx.x), None, None


@mistake("Sum")
class a_number_comes_back_as_it_is(torch.autograd.Function):
    """A 0-dim x was returned itself, since there is nothing to add up: the result must have its own memory in every case."""

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        ctx.shape, ctx.kept = x.shape, kept_shape(x.shape, dim)
        return x.sum(dim, keepdim=keepdim) if x.dim() else x

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(ctx.kept).expand(ctx.shape), None, None


@mistake("Sum")
class differentiable_only_once(Base):
    """The gradient cannot be differentiated: @once_differentiable, detach, .data and no_grad in backward detach it
    from the graph."""

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        return grad.reshape(kept_shape(ctx.shape, ctx.dim)).expand(ctx.shape), None, None


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
        ctx.missing = [] if keepdim else sorted(axis % x.dim() for axis in listed(dim, x.dim()))

    @staticmethod
    def backward(ctx, grad):
        for axis in ctx.missing:
            grad = grad.unsqueeze(axis)
        return grad.expand(ctx.shape).clone(), None, None


@alternative("Sum")
class times_ones(Base):
    """Broadcasts by multiplying with ones."""

    @staticmethod
    def backward(ctx, grad):
        ones = torch.ones(ctx.shape, dtype=grad.dtype, device=grad.device)
        return grad.reshape(kept_shape(ctx.shape, ctx.dim)) * ones, None, None


@alternative("Sum")
class result_is_a_view_of_its_own_sum(torch.autograd.Function):
    """Sums with keepdim and drops the axes afterwards, so that the result is a view of a new tensor."""

    @staticmethod
    def forward(ctx, x, dim, keepdim):
        total = x.sum(dim, keepdim=True)
        ctx.shape, ctx.kept = x.shape, total.shape
        return total if keepdim else total.reshape(x.sum(dim).shape)

    @staticmethod
    def backward(ctx, grad):
        return grad.reshape(ctx.kept).expand(ctx.shape), None, None
