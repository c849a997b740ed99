"""Known mistakes and odd-but-correct solutions for LinearFunction."""

import torch
from torch.autograd.function import once_differentiable

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write down the shapes of x, weight, bias and grad. For each of the three answers only one product or sum "
    "of these has the right shape.",
    "Every row of x went through the same weight and bias, so their gradients are sums over all rows. x gets "
    "grad times weight. Return None for what isn't needed.",
    "Turn grad and x into matrices with one row for each row of x (reshape with -1 and the last size). The "
    "weight's gradient is one transposed matrix times the other, (outputs, rows) times (rows, inputs); the "
    "bias gets the column sums. Put an if on ctx.needs_input_grad before each.",
)


def rows_of(t):
    """All rows of t as one matrix."""
    return t.reshape(-1, t.shape[-1])


class Base(torch.autograd.Function):
    """A right forward for the variants that only get backward wrong."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        out = x @ weight.T
        return out if bias is None else out + bias


def only_needed(ctx, *makers):
    """The gradient of each input that needs one, None for the others."""
    return tuple(make() if needed else None for make, needed in zip(makers, ctx.needs_input_grad, strict=True))


@mistake("LinearFunction")
class weight_gradient_transposed(Base):
    """The weight's gradient is transposed: its shape must be that of weight, (outputs, inputs), so it is
    grad transposed times x.
    """

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: rows_of(x).T @ rows_of(grad), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class multiplies_by_weight_transposed(Base):
    """x got grad times the transposed weight: forward transposed once, so backward multiplies by weight as
    it is.
    """

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight.T, lambda: rows_of(grad).T @ rows_of(x), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class forward_without_transpose(torch.autograd.Function):
    """forward multiplied by weight as it is: weight is (outputs, inputs), so the result is x times the
    transposed weight.
    """

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        out = x @ weight
        return out if bias is None else out + bias

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight.T, lambda: rows_of(x).T @ rows_of(grad), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class bias_gradient_not_summed(Base):
    """The gradient of bias has the shape of the result: one bias serves all rows, so sum over all axes but
    the last.
    """

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: rows_of(grad).T @ rows_of(x), lambda: grad.clone())


@mistake("LinearFunction")
class bias_summed_over_the_first_axis_only(Base):
    """The gradient of bias was summed over axis 0 only: x may have more axes in front, or none at all."""

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: rows_of(grad).T @ rows_of(x), lambda: grad.sum(0))


@mistake("LinearFunction")
class works_for_matrices_only(Base):
    """backward only works for an x of two axes: .t() and .T are for matrices, so bring x and grad to one matrix of rows first
    (reshape with -1 and the last size), for 1-D and 3-D inputs too.
    """

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: grad.t() @ x, lambda: grad.sum(0))


@mistake("LinearFunction")
class sums_x_over_the_batch(Base):
    """The gradient of x was summed over the rows: each row of x is used once and has a gradient of its own."""

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: rows_of(grad @ weight).sum(0).expand(x.shape), lambda: rows_of(grad).T @ rows_of(x), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class averages_over_the_rows(Base):
    """The gradients of weight and bias were averaged over the rows: they are sums. A mean belongs to the
    loss, and is already in grad.
    """

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        many = max(1, len(rows_of(grad)))
        rows = rows_of(grad) / many
        return only_needed(ctx, lambda: grad @ weight, lambda: rows.T @ rows_of(x), lambda: rows.sum(0))


@mistake("LinearFunction")
class computes_what_nobody_needs(Base):
    """An input that needs no gradient got one: look at ctx.needs_input_grad and return None there."""

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        has_bias = ctx.needs_input_grad[2]
        return grad @ weight, rows_of(grad).T @ rows_of(x), rows_of(grad).sum(0) if has_bias else None


@mistake("LinearFunction")
class throws_away_what_nobody_needs(Base):
    """You compute every gradient and then discard those that nothing needs, so the work is done anyway. Check
    ctx.needs_input_grad before each product."""

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        grads = grad @ weight, rows_of(grad).T @ rows_of(x), rows_of(grad).sum(0)
        return tuple(g if needed else None for g, needed in zip(grads, ctx.needs_input_grad, strict=True))


@mistake("LinearFunction")
class turns_all_axes_round(Base):
    """grad.T reverses all axes of grad, which is right only for a matrix: bring x and grad to one matrix of rows first
    (reshape with -1 and the last size), for 1-D and 3-D inputs too.
    """

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: grad.T @ x, lambda: grad.sum(0))


@mistake("LinearFunction")
class forgets_the_bias(Base):
    """bias got None although it requires a gradient, so it would silently never learn: it gets the sum of
    grad over all rows.
    """

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: rows_of(grad).T @ rows_of(x), lambda: None)


@mistake("LinearFunction")
class cannot_do_without_bias(torch.autograd.Function):
    """A bias of None raised: leave the addition out when there is no bias."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x @ weight.T + bias

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: rows_of(grad).T @ rows_of(x), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class needs_a_view_of_grad(Base):
    """backward raised for a gradient that is not contiguous: view needs a certain memory layout; use
    reshape.
    """

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        rows = grad.view(-1, grad.shape[-1])
        return only_needed(ctx, lambda: grad @ weight, lambda: rows.T @ rows_of(x), lambda: rows.sum(0))


@mistake("LinearFunction")
class keeps_inputs_on_ctx(torch.autograd.Function):
    """x or weight was edited after forward and the gradients became silently wrong:
    ctx.save_for_backward(x, weight) would have noticed.
    """

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.x, ctx.weight = x, weight
        out = x @ weight.T
        return out if bias is None else out + bias

    @staticmethod
    def backward(ctx, grad):
        return only_needed(ctx, lambda: grad @ ctx.weight, lambda: rows_of(grad).T @ rows_of(ctx.x), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class detaches_in_backward(Base):
    """The second derivatives are lost: for backward x and weight are constants, made so by detach, .data or no_grad, or
    saved as copies. Save them as they are."""

    @staticmethod
    def backward(ctx, grad):
        x, weight = (t.detach() for t in ctx.saved_tensors)
        return only_needed(ctx, lambda: grad @ weight, lambda: rows_of(grad).T @ rows_of(x), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class the_answer_itself(torch.autograd.Function):
    """torch.nn.functional.linear is the answer: multiply by the transposed weight and add the bias yourself."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return torch.nn.functional.linear(x, weight, bias)

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: rows_of(grad).T @ rows_of(x), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class forward_goes_through_float32(torch.autograd.Function):
    """The result lost half of its float64 digits: no .float() in forward; keep the dtype of the inputs."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        out = (x.float() @ weight.float().T).to(x.dtype)
        return out if bias is None else out + bias

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: rows_of(grad).T @ rows_of(x), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class lets_autograd_work(Base):
    """Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone."""

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        create_graph = torch.is_grad_enabled()

        def slope(place):
            with torch.enable_grad():
                both = [t.view_as(t) if t.requires_grad else t.detach().requires_grad_() for t in (x, weight)]
                return torch.autograd.grad(both[0] @ both[1].T, both[place], grad, create_graph=create_graph)[0]

        return only_needed(ctx, lambda: slope(0), lambda: slope(1), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class backward_goes_through_float32(Base):
    """The gradients lost half of their float64 digits: no .float() in backward; keep the dtype of the inputs."""

    @staticmethod
    def backward(ctx, grad):
        x, weight = (t.float() for t in ctx.saved_tensors)
        narrow, rows = grad.float(), rows_of(grad.float())
        makers = (lambda: narrow @ weight, lambda: rows.T @ rows_of(x), lambda: rows.sum(0))
        found = only_needed(ctx, *makers)
        return tuple(g if g is None else g.to(grad.dtype) for g in found)


@mistake("LinearFunction")
class sums_over_an_empty_list_of_axes(Base):
    """For an x of one axis there is nothing to sum for the bias, but sum with an empty list of axes sums everything. Go
    through a matrix of rows, or ask first.
    """

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: rows_of(grad).T @ rows_of(x), lambda: grad.sum(list(range(grad.dim() - 1))))


@mistake("LinearFunction")
class kept_on_the_class(torch.autograd.Function):
    """What backward needs was kept on the class, where the next call of apply overwrites it: keep it on ctx, which
    each call has for itself."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        kept_on_the_class.inputs = x, weight
        return x @ weight.T if bias is None else x @ weight.T + bias

    @staticmethod
    def backward(ctx, grad):
        x, weight = kept_on_the_class.inputs
        rows = grad.reshape(-1, grad.shape[-1])
        return only_needed(ctx, lambda: grad @ weight, lambda: rows.T @ rows_of(x), lambda: rows.sum(0))


@mistake("LinearFunction")
class differentiable_only_once(Base):
    """The gradients cannot be differentiated: @once_differentiable, or no_grad around all of backward, detaches
    them from the graph."""

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: rows_of(grad).T @ rows_of(x), lambda: rows_of(grad).sum(0))


class Rows(torch.autograd.Function):
    """Forward and a right backward, for the variants that save something else than x and weight."""

    @staticmethod
    def keep(x, weight):
        """Return what is saved."""
        return x, weight

    @classmethod
    def forward(cls, ctx, x, weight, bias):
        ctx.save_for_backward(*cls.keep(x, weight))
        ctx.shape = x.shape
        out = x @ weight.T
        return out if bias is None else out + bias

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(
            ctx, lambda: (grad @ weight).reshape(ctx.shape), lambda: rows_of(grad).T @ rows_of(x), lambda: rows_of(grad).sum(0)
        )


@mistake("LinearFunction")
class saves_the_rows_of_x(Rows):
    """The second derivatives through x are lost: what was saved is a new shape of x, and PyTorch treats everything
    but inputs and outputs as constants. Save x itself."""

    keep = staticmethod(lambda x, weight: (rows_of(x), weight))


@mistake("LinearFunction")
class saves_rows_of_more_axes(Rows):
    """Second derivatives are lost where x has more than two axes: a flattened x was saved, and PyTorch treats
    everything but inputs and outputs as constants. Save x itself."""

    keep = staticmethod(lambda x, weight: (x.flatten(0, -2) if x.dim() > 2 else x, weight))


@mistake("LinearFunction")
class saves_contiguous_copies(Rows):
    """Second derivatives are lost for transposed inputs: contiguous() copied them, and PyTorch treats a copy as a
    constant. Save x and weight themselves."""

    keep = staticmethod(lambda x, weight: (x.contiguous(), weight.contiguous()))


@mistake("LinearFunction")
class saves_the_transposed_weight(Base):
    """The second derivatives through weight are lost: its transpose was saved, and PyTorch treats everything but
    inputs and outputs as constants. Save weight itself."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight.T)
        out = x @ weight.T
        return out if bias is None else out + bias

    @staticmethod
    def backward(ctx, grad):
        x, turned = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ turned.T, lambda: rows_of(grad).T @ rows_of(x), lambda: rows_of(grad).sum(0))


@mistake("LinearFunction")
class adds_row_by_row(Base):
    """With no rows the weight's gradient was the number 0, as Python's sum() of nothing is: one matrix product of all rows
    gives zeros of the right shape."""

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(
            ctx,
            lambda: grad @ weight,
            lambda: sum(torch.outer(g, row) for g, row in zip(rows_of(grad), rows_of(x))),
            lambda: rows_of(grad).sum(0),
        )


@mistake("LinearFunction")
class turns_all_axes_of_the_weight_round(Base):
    """In the gradient of weight, grad.T reverses all axes of grad, which is right only for a matrix: bring x and grad to
    one matrix of rows first (reshape with -1 and the last size), for 1-D and 3-D inputs too.
    """

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return only_needed(ctx, lambda: grad @ weight, lambda: grad.T @ x, lambda: rows_of(grad).sum(0))


@alternative("LinearFunction")
class einsum_in_setup_context(torch.autograd.Function):
    """The newer style, with einsum everywhere."""

    @staticmethod
    def forward(x, weight, bias):
        out = torch.einsum("...i,oi->...o", x, weight)
        if bias is not None:
            out = out + bias
        return out

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, _ = inputs
        ctx.save_for_backward(x, weight)

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_x = torch.einsum("...o,oi->...i", grad, weight)
        if ctx.needs_input_grad[1]:
            grad_weight = torch.einsum("no,ni->oi", rows_of(grad), rows_of(x))
        if ctx.needs_input_grad[2]:
            grad_bias = torch.einsum("no->o", rows_of(grad))
        return grad_x, grad_weight, grad_bias


@alternative("LinearFunction")
class saves_all_and_sums_axes(torch.autograd.Function):
    """Old style; saves everything, sums over a list of axes, adds in place to its own result."""

    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight, bias)
        out = torch.matmul(x, weight.transpose(0, 1))
        if bias is not None:
            out += bias
        return out

    @staticmethod
    def backward(ctx, grad):
        x, weight, bias = ctx.saved_tensors
        grad_x, grad_weight, grad_bias = None, None, None
        front = list(range(grad.dim() - 1))
        if ctx.needs_input_grad[0]:
            grad_x = grad.matmul(weight)
        if ctx.needs_input_grad[1]:
            outer = grad.unsqueeze(-1) * x.unsqueeze(-2)
            grad_weight = outer.sum(front) if front else outer
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad.sum(front) if front else grad.clone()
        return grad_x, grad_weight, grad_bias


@alternative("LinearFunction")
class weight_and_bias_in_one_product(Base):
    """A column of ones beside x gives the gradients of weight and bias at once."""

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_x = grad @ weight
        if any(ctx.needs_input_grad[1:]):
            rows = rows_of(x)
            both = rows_of(grad).T @ torch.cat((rows, rows.new_ones(len(rows), 1)), 1)
            grad_weight = both[:, :-1] if ctx.needs_input_grad[1] else None
            grad_bias = both[:, -1] if ctx.needs_input_grad[2] else None
        return grad_x, grad_weight, grad_bias
