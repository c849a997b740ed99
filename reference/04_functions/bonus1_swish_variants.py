"""Known mistakes and unusual but correct solutions for Swish."""

import torch
from torch.autograd.function import once_differentiable  # noqa: F401 (for an edit)

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


beta_gradient_not_summed = mistake.edited("(grad * x * x * slope).sum()", "grad * x * x * slope",
    "The gradient of beta has the shape of x: one beta serves all elements, so sum to one number.")

beta_gradient_averaged = mistake.edited(
    "(grad * x * x * slope).sum()", "(grad * x * x * slope).sum() / max(1, grad.numel())",
    "The gradient of beta was averaged over the elements: the contributions of each use of beta add up, so take the sum.")

forgets_the_second_term = mistake.edited("grad * (s + beta * x * slope)", "grad * s",
    "x occurs twice, so the product rule gives two terms: the one through the sigmoid is missing.",
    pitfall="So its derivative has two terms")

forgets_one_minus_s = mistake.edited("beta * x * slope", "beta * x * s",
    "In the gradient of x, the sigmoid s stands for its own derivative: that is s * (1 - s).")

sigmoid_as_its_derivative = mistake.edited("slope = s * (1 - s)", "slope = s",
    "The sigmoid s stands for its own derivative: that is s * (1 - s).")

forgets_the_inner_beta = mistake.edited("beta * x * slope", "x * slope",
    "The factor beta is missing in the gradient of x: the sigmoid is applied to beta * x, whose derivative with respect "
    "to x is beta.")

forgets_one_x_for_beta = mistake.edited("grad * x * x * slope", "grad * x * slope",
    "The gradient of beta lacks a factor x: one x multiplies the sigmoid, and another is inside it.")

no_gradient_for_beta = mistake.edited("(grad * x * x * slope).sum()", "None",
    "beta got None although it requires a gradient, so it would silently never learn: return a gradient for each input.")

ignores_grad = mistake.edited(
    "return grad * (s + beta * x * slope), (grad * x * x * slope).sum()",
    "return s + beta * x * slope, (x * x * slope).sum()",
    "backward returned the derivatives alone: multiply them by the upstream gradient, which is not always 1.",
    common=True)

ignores_grad_for_beta = mistake.edited("(grad * x * x * slope).sum()", "(x * x * slope).sum()",
    "The gradient of beta lacks the upstream gradient: multiply by grad before you sum.")

sums_the_factors_apart = mistake.edited("(grad * x * x * slope).sum()", "grad.sum() * (x * x * slope).sum()",
    "grad and the derivative were summed apart: multiply them element by element first, then sum.")

saves_the_sigmoid = mistake.edited(
    "ctx.save_for_backward(x, beta)\nreturn x * torch.sigmoid(beta * x)",
    "s = torch.sigmoid(beta * x)\nctx.save_for_backward(x, beta, s)\nreturn x * s",
    "The second derivative was silently wrong: a sigmoid that was saved, or detached, counts as a constant. Save x "
    "and beta and compute it again.",
    also=[("x, beta = ctx.saved_tensors\ns = torch.sigmoid(beta * x)", "x, beta, s = ctx.saved_tensors")])

sigmoid_by_hand_overflows = mistake.edited(
    "x * torch.sigmoid(beta * x)", "x * (beta * x).exp() / (1 + (beta * x).exp())",
    "Large inputs gave nan: exp overflows to infinity, and infinity over infinity is nan. torch.sigmoid is safe.")

keeps_inputs_on_ctx = mistake.edited("ctx.save_for_backward(x, beta)", "ctx.kept = x, beta",
    "After an in-place edit of x or beta the gradients are silently wrong: ctx.save_for_backward(x, beta) would detect the edit.",
    also=[("ctx.saved_tensors", "ctx.kept")])

sigmoid_of_x_alone = mistake.edited("x * torch.sigmoid(beta * x)", "beta * x * torch.sigmoid(x)",
    "beta multiplies the result instead of the x inside: it belongs inside the sigmoid.",
    also=[
        ("s = torch.sigmoid(beta * x)", "s = torch.sigmoid(x)"),
        ("return grad * (s + beta * x * slope), (grad * x * x * slope).sum()",
         "return grad * beta * (s + x * slope), (grad * x * s).sum()"),
    ])

the_answer_for_one = mistake.edited(
    "return x * torch.sigmoid(beta * x)",
    "return torch.nn.functional.silu(x) if bool(beta == 1) else x * torch.sigmoid(beta * x)",
    "torch.nn.functional.silu does all the work: use torch.sigmoid in every case.",
    forbidden="torch.nn.functional.silu, torch.nn.SiLU")

divides_the_result_by_x = mistake.edited(
    "ctx.save_for_backward(x, beta)\nreturn x * torch.sigmoid(beta * x)",
    "y = x * torch.sigmoid(beta * x)\nctx.save_for_backward(x, beta, y)\nreturn y",
    "At x = 0 the gradient became nan: result / x does not give the sigmoid there. Compute it from x and beta.",
    also=[
        ("x, beta = ctx.saved_tensors\ns = torch.sigmoid(beta * x)", "x, beta, y = ctx.saved_tensors\ns = y / x"),
        ("return grad * (s + beta * x * slope), (grad * x * x * slope).sum()",
         "return grad * (s + beta * y * (1 - s)), (grad * x * y * (1 - s)).sum()"),
    ])

returns_only_what_is_needed = mistake.edited(
    "return grad * (s + beta * x * slope), (grad * x * x * slope).sum()",
    """
    both = grad * (s + beta * x * slope), (grad * x * x * slope).sum()
    return tuple(g for g, needed in zip(both, ctx.needs_input_grad) if needed)
    """,
    "Where one input needs no gradient, you returned only one value: return one for each input, and None for the other.")

needs_a_view_of_grad = mistake.edited(
    "(grad * x * x * slope).sum()", "(grad.view(-1) * (x * x * slope).reshape(-1)).sum()",
    "backward raised an error for a gradient that is not contiguous: view needs a certain memory layout; use reshape, or work "
    "without it.")

lets_autograd_work = mistake.edited(
    "return grad * (s + beta * x * slope), (grad * x * x * slope).sum()",
    """
    create_graph = torch.is_grad_enabled()
    with torch.enable_grad():
        x, beta = (t.view_as(t) if t.requires_grad else t.detach().requires_grad_() for t in (x, beta))
        return torch.autograd.grad(x * torch.sigmoid(beta * x), (x, beta), grad, create_graph=create_graph)
    """,
    "Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone.",
    forbidden="autograd inside forward and backward")

loops_over_the_first_axis = mistake.edited(
    "grad * (s + beta * x * slope)", "torch.stack([g * d for g, d in zip(grad, s + beta * x * slope)])",
    "backward raised an error for an x without elements or without axes: a loop over the rows needs at least one. Multiply whole "
    "tensors.")

kept_on_the_class = mistake.edited("ctx.save_for_backward(x, beta)", "Swish.inputs = x, beta",
    "What backward needs is overwritten by the next call of apply: store it on ctx, which each call has for itself.",
    also=[("ctx.saved_tensors", "Swish.inputs")])

rank_kept_on_the_class = mistake.edited(
    "ctx.save_for_backward(x, beta)", "ctx.save_for_backward(x, beta)\nSwish.axes = tuple(range(x.dim()))",
    "The number of axes of x is overwritten by the next call of apply: store it on ctx, or use a plain sum(), "
    "which needs no axes.",
    also=[("(grad * x * x * slope).sum()", "(grad * x * x * slope).sum(Swish.axes)")])

mixes_up_what_is_needed = mistake.edited(
    "return grad * (s + beta * x * slope), (grad * x * x * slope).sum()",
    """
    for_beta, for_x = ctx.needs_input_grad
    return grad * (s + beta * x * slope) if for_x else None, (grad * x * x * slope).sum() if for_beta else None
    """,
    "The input that learns got None: ctx.needs_input_grad has one entry for each argument, x at 0 and beta at 1.")

differentiable_only_once = mistake.edited(
    "@staticmethod\ndef backward", "@staticmethod\n@once_differentiable\ndef backward",
    "The gradients cannot be differentiated: @once_differentiable, no_grad, detach and .data in backward take "
    "them out of the graph.")

a_case_for_beta_zero = mistake.edited(
    "return grad * (s + beta * x * slope), (grad * x * x * slope).sum()",
    """
    if beta == 0:
        return grad * 0.5, (grad * x * x / 4).sum()
    return grad * (s + beta * x * slope), (grad * x * x * slope).sum()
    """,
    "For beta = 0 the second derivative was silently wrong: values that are right only there do not change with beta. The formula needs no special case.")


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


with_tanh = alternative.edited("x * torch.sigmoid(beta * x)", "x * (torch.tanh(beta * x / 2) + 1) / 2",
    "The sigmoid written with tanh, which does not overflow either.",
    also=[("s = torch.sigmoid(beta * x)\nslope = s * (1 - s)",
         "t = torch.tanh(beta * x / 2)\ns, slope = (t + 1) / 2, (1 - t * t) / 4")])
