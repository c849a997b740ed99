"""Known mistakes and odd-but-correct solutions for Swish."""

import torch
from torch.autograd.function import once_differentiable

from torchdojo.variants import alternative, mistake

HINTS = (
    "Call the sigmoid s. Its derivative with respect to its argument is s * (1 - s). Now use the product rule "
    "for x, and the chain rule for beta.",
    "x occurs twice in x * s(beta * x), so its derivative has two terms, one of them with a factor beta. beta "
    "occurs once; its derivative at each element has x twice. There is one beta for all elements, so its "
    "gradient is a sum.",
    "Save x and beta only. In backward compute s again with torch.sigmoid, name s * (1 - s), build the two "
    "derivatives from these, multiply each by grad, and reduce the second to one number.",
)

EQUIVALENT = {
    "in_place: return x * torch.sigmoid_(beta * x)": "it writes into the product beta * x, whose numbers nobody needs",
    "in_place: s = torch.sigmoid_(beta * x)": "it writes into the product beta * x, whose numbers nobody needs",
}


class Base(torch.autograd.Function):
    """A right forward for the variants that only get backward wrong."""

    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return x * torch.sigmoid(beta * x)


def slopes(x, beta):
    """The slopes with respect to x and beta at each element."""
    s = torch.sigmoid(beta * x)
    return s + beta * x * s * (1 - s), x * x * s * (1 - s)


@mistake("Swish")
class beta_gradient_not_summed(Base):
    """The gradient of beta has the shape of x: one beta serves all elements, so sum to one number."""

    @staticmethod
    def backward(ctx, grad):
        slope_x, slope_beta = slopes(*ctx.saved_tensors)
        return grad * slope_x, grad * slope_beta


@mistake("Swish")
class beta_gradient_averaged(Base):
    """The gradient of beta was averaged over the elements: the contributions of each use of beta add up, so take
    the sum."""

    @staticmethod
    def backward(ctx, grad):
        slope_x, slope_beta = slopes(*ctx.saved_tensors)
        return grad * slope_x, (grad * slope_beta).sum() / max(1, grad.numel())


@mistake("Swish")
class forgets_the_second_term(Base):
    """x occurs twice, so the product rule gives two terms: the one through the sigmoid is missing."""

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        return grad * torch.sigmoid(beta * x), (grad * slopes(x, beta)[1]).sum()


forgets_the_inner_beta = mistake.edited(
    """
    slope = s * (1 - s)
    return grad * (s + beta * x * slope), (grad * x * x * slope).sum()
    """,
    "return grad * (s + x * s * (1 - s)), (grad * slopes(x, beta)[1]).sum()",
    "The factor beta is missing in the gradient of x: the sigmoid is applied to beta * x, whose derivative with respect "
    "to x is beta.")

forgets_one_x_for_beta = mistake.edited(
    """
    slope = s * (1 - s)
    return grad * (s + beta * x * slope), (grad * x * x * slope).sum()
    """,
    "return grad * slopes(x, beta)[0], (grad * x * s * (1 - s)).sum()",
    "The gradient of beta lacks a factor x: one x multiplies the sigmoid, another one is inside it.")


@mistake("Swish")
class no_gradient_for_beta(Base):
    """beta got None although it requires a gradient, so it would silently never learn: return a gradient
    for each input.
    """

    @staticmethod
    def backward(ctx, grad):
        return grad * slopes(*ctx.saved_tensors)[0], None


@mistake("Swish", common=True)
class ignores_grad(Base):
    """backward returned the derivatives alone: multiply them by the upstream gradient, which is not always 1."""

    @staticmethod
    def backward(ctx, grad):
        slope_x, slope_beta = slopes(*ctx.saved_tensors)
        return slope_x, slope_beta.sum()


@mistake("Swish")
class saves_the_sigmoid(torch.autograd.Function):
    """The second derivative was silently wrong: a saved sigmoid counts as a constant. Save x and beta and compute
    it again."""

    @staticmethod
    def forward(ctx, x, beta):
        s = torch.sigmoid(beta * x)
        ctx.save_for_backward(x, beta, s)
        return x * s

    @staticmethod
    def backward(ctx, grad):
        x, beta, s = ctx.saved_tensors
        slope = s * (1 - s)
        return grad * (s + beta * x * slope), (grad * x * x * slope).sum()


@mistake("Swish")
class sigmoid_by_hand_overflows(torch.autograd.Function):
    """Large inputs gave nan: exp(z) / (1 + exp(z)) is infinity over infinity there. torch.sigmoid is safe."""

    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        e = (beta * x).exp()
        return x * e / (1 + e)

    @staticmethod
    def backward(ctx, grad):
        slope_x, slope_beta = slopes(*ctx.saved_tensors)
        return grad * slope_x, (grad * slope_beta).sum()


@mistake("Swish")
class keeps_inputs_on_ctx(torch.autograd.Function):
    """x or beta was edited after forward and the gradients became silently wrong: ctx.save_for_backward(x,
    beta) would have noticed.
    """

    @staticmethod
    def forward(ctx, x, beta):
        ctx.x, ctx.beta = x, beta
        return x * torch.sigmoid(beta * x)

    @staticmethod
    def backward(ctx, grad):
        slope_x, slope_beta = slopes(ctx.x, ctx.beta)
        return grad * slope_x, (grad * slope_beta).sum()


@mistake("Swish")
class sigmoid_of_x_alone(torch.autograd.Function):
    """beta multiplies the result instead of the x inside: it belongs inside the sigmoid."""

    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return beta * x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        s = torch.sigmoid(x)
        return grad * beta * (s + x * s * (1 - s)), (grad * x * s).sum()


@mistake("Swish")
class the_answer_for_one(torch.autograd.Function):
    """torch.nn.functional.silu is the answer where beta is 1: use torch.sigmoid in every case."""

    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return torch.nn.functional.silu(x) if bool(beta == 1) else x * torch.sigmoid(beta * x)

    @staticmethod
    def backward(ctx, grad):
        slope_x, slope_beta = slopes(*ctx.saved_tensors)
        return grad * slope_x, (grad * slope_beta).sum()


@mistake("Swish")
class divides_the_result_by_x(torch.autograd.Function):
    """At x = 0 the gradient became nan: the sigmoid cannot be had back as result / x. Compute it from x and beta."""

    @staticmethod
    def forward(ctx, x, beta):
        y = x * torch.sigmoid(beta * x)
        ctx.save_for_backward(x, beta, y)
        return y

    @staticmethod
    def backward(ctx, grad):
        x, beta, y = ctx.saved_tensors
        s = y / x
        return grad * (s + beta * y * (1 - s)), (grad * x * y * (1 - s)).sum()


@mistake("Swish")
class returns_only_what_is_needed(Base):
    """Where one input needs no gradient, you returned only one value: return one for each input, and None for the
    other."""

    @staticmethod
    def backward(ctx, grad):
        slope_x, slope_beta = slopes(*ctx.saved_tensors)
        both = grad * slope_x, (grad * slope_beta).sum()
        return tuple(g for g, needed in zip(both, ctx.needs_input_grad) if needed)


@mistake("Swish")
class needs_a_view_of_grad(Base):
    """backward raised for a gradient that is not contiguous: view needs a certain memory layout; use reshape, or work
    without it.
    """

    @staticmethod
    def backward(ctx, grad):
        slope_x, slope_beta = slopes(*ctx.saved_tensors)
        return grad * slope_x, (grad.view(-1) * slope_beta.reshape(-1)).sum()


@mistake("Swish")
class lets_autograd_work(Base):
    """Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone."""

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        create_graph = torch.is_grad_enabled()
        with torch.enable_grad():
            x, beta = (t.view_as(t) if t.requires_grad else t.detach().requires_grad_() for t in (x, beta))
            return torch.autograd.grad(x * torch.sigmoid(beta * x), (x, beta), grad, create_graph=create_graph)


@mistake("Swish")
class loops_over_the_first_axis(Base):
    """backward raised for an x without elements or without axes: a loop over the rows needs at least one. Multiply whole
    tensors.
    """

    @staticmethod
    def backward(ctx, grad):
        slope_x, slope_beta = slopes(*ctx.saved_tensors)
        rows = [g * slope for g, slope in zip(grad, slope_x)]
        return torch.stack(rows), (grad * slope_beta).sum()


@mistake("Swish")
class kept_on_the_class(torch.autograd.Function):
    """What backward needs was kept on the class, where the next call of apply overwrites it: keep it on ctx, which
    each call has for itself."""

    @staticmethod
    def forward(ctx, x, beta):
        kept_on_the_class.inputs = x, beta
        return x * torch.sigmoid(beta * x)

    @staticmethod
    def backward(ctx, grad):
        x, beta = kept_on_the_class.inputs
        by_x, by_beta = slopes(x, beta)
        return grad * by_x, (grad * by_beta).sum()


@mistake("Swish")
class rank_kept_on_the_class(Base):
    """The number of axes of x was kept on the class, where the next call of apply overwrites it: ctx belongs to a
    single call, and a plain sum() needs no axes at all."""

    @staticmethod
    def forward(ctx, x, beta):
        rank_kept_on_the_class.axes = tuple(range(x.dim()))
        return Base.forward(ctx, x, beta)

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        by_x, by_beta = slopes(x, beta)
        return grad * by_x, (grad * by_beta).sum(rank_kept_on_the_class.axes)


@mistake("Swish")
class mixes_up_what_is_needed(Base):
    """The input that learns got None: ctx.needs_input_grad has one entry for each argument, x at 0 and beta at 1."""

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        by_x, by_beta = slopes(x, beta)
        for_beta, for_x = ctx.needs_input_grad
        return grad * by_x if for_x else None, (grad * by_beta).sum() if for_beta else None


@mistake("Swish")
class differentiable_only_once(Base):
    """The gradients cannot be differentiated: @once_differentiable, or no_grad around all of backward, detaches
    them from the graph."""

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        slope, slope_of_beta = slopes(x, beta)
        return grad * slope, (grad * slope_of_beta).sum()


@mistake("Swish")
class a_case_for_beta_zero(Base):
    """For beta = 0 the second derivative was silently wrong: numbers that hold there alone do not change with beta. The
    formula needs no case of its own."""

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        slope, slope_of_beta = slopes(x, beta) if beta != 0 else (0.5, x * x / 4)
        return grad * slope, (grad * slope_of_beta).sum()


@alternative("Swish")
class from_the_definition_in_setup_context(torch.autograd.Function):
    """The newer style; the slope in the form s * (1 + z * (1 - s)), None where nothing is needed."""

    @staticmethod
    def forward(x, beta):
        return torch.sigmoid(x * beta).mul(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        z = x * beta
        s = torch.sigmoid(z)
        grad_x = grad * (s * (1 + z * (1 - s))) if ctx.needs_input_grad[0] else None
        grad_beta = (grad * x**2 * s * torch.sigmoid(-z)).sum() if ctx.needs_input_grad[1] else None
        return grad_x, grad_beta


@alternative("Swish")
class with_tanh(torch.autograd.Function):
    """The sigmoid written with tanh, which does not overflow either."""

    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return x * (torch.tanh(beta * x / 2) + 1) / 2

    @staticmethod
    def backward(ctx, grad):
        x, beta = ctx.saved_tensors
        t = torch.tanh(beta * x / 2)
        slope = (1 - t * t) / 4
        return grad * ((t + 1) / 2 + beta * x * slope), torch.sum(grad * x * x * slope)
