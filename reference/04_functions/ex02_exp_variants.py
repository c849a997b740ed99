"""Known mistakes and unusual but correct solutions for Exp."""

import torch
from torch.autograd.function import once_differentiable  # noqa: F401 (for an edit)

from torchdojo.variants import alternative, mistake

HINTS = (
    "What is the derivative of e to the power x, and have you perhaps computed it already?",
    "backward multiplies the derivative at each element by the upstream gradient. What it needs from forward "
    "goes through ctx.save_for_backward and comes back, as a tuple, in ctx.saved_tensors.",
    "In forward, give the result a name, save it, return it. In backward, unpack the tuple of one saved "
    "tensor and return a new tensor: the product of two tensors that you already hold.",
)


ignores_grad = mistake.edited("y = torch.exp(x)", "y = x.exp()",
    "backward returned the derivative alone: multiply it by the upstream gradient, which is not always 1.",
    also=[("return grad * y", "return y.clone()")], common=True,
    pitfall="Returning the derivative alone")

passes_grad_through = mistake.edited("(y,) = ctx.saved_tensors\nreturn grad * y", "return grad.clone()",
    "backward returned the upstream gradient unchanged: multiply it by the derivative of exp.",
    also=[("ctx.save_for_backward(y)", "")])

caps_large_numbers = mistake.edited("y = torch.exp(x)", "y = x.clamp(max=80).exp()",
    "The result for a large x is far too small, as when x is cut off before exp: leave x as it is, even where exp(x) is huge.")

multiplies_by_the_input = mistake.edited("ctx.save_for_backward(y)", "ctx.save_for_backward(x)",
    "grad was multiplied by x itself: the derivative of exp at x is exp(x).")

uses_the_power_rule = mistake.edited(
    "(y,) = ctx.saved_tensors\nreturn grad * y", "(x,) = ctx.saved_tensors\nreturn grad * x * (x - 1).exp()",
    "x * exp(x - 1) is the rule for powers with a fixed exponent: here the exponent varies, and the derivative is exp(x).",
    also=[("ctx.save_for_backward(y)", "ctx.save_for_backward(x)")])

slope_at_grad = mistake.edited("(y,) = ctx.saved_tensors\nreturn grad * y", "return grad * grad.exp()",
    "The derivative was taken at grad: take it at the x of forward, then multiply by grad.")

the_tuple_itself = mistake.edited("(y,) = ctx.saved_tensors", "y = ctx.saved_tensors",
    "ctx.saved_tensors is a tuple, even with one tensor in it: take the tensor out before you multiply.")

multiplies_inside_exp = mistake.edited("(y,) = ctx.saved_tensors\nreturn grad * y", "(x,) = ctx.saved_tensors\nreturn (grad * x).exp()",
    "grad was multiplied with x inside of exp: take exp(x) first, then multiply it by grad.",
    also=[("ctx.save_for_backward(y)", "ctx.save_for_backward(x)")])

adds_grad = mistake.edited("return grad * y", "return grad + y",
    "grad was added to the derivative: the chain rule multiplies them.")

keeps_the_result_on_ctx = mistake.edited("ctx.save_for_backward(y)", "ctx.y = y",
    "An edit or a second derivative gave silently wrong numbers: keep the result with ctx.save_for_backward, not as an "
    "attribute of ctx.",
    also=[("(y,) = ctx.saved_tensors\nreturn grad * y", "return grad * ctx.y")])

keeps_the_input_on_ctx = mistake.edited("ctx.save_for_backward(y)", "ctx.x = x",
    "After an in-place edit of x the gradient is silently wrong: ctx.save_for_backward(x) would detect the edit.",
    also=[("(y,) = ctx.saved_tensors\nreturn grad * y", "return grad * ctx.x.exp()")])

writes_into_grad = mistake.edited("y = torch.exp(x)", "y = x.exp()",
    "backward changed its upstream gradient, which other parts of the graph use too: create a new tensor instead "
    "of writing into grad.",
    also=[("return grad * y", "return grad.mul_(y)")])

detaches_in_backward = mistake.edited("y = torch.exp(x)", "y = x.exp()",
    "The second derivative is incomplete, because backward treats the first derivative as a constant: it was detached "
    "(detach, .data, no_grad), or computed from a copy or a value other than the x or the result of forward.",
    also=[("return grad * y", "return grad * y.detach()")])

works_in_place_on_x = mistake.edited(
    "y = torch.exp(x)",
    """
    x.exp_()
    y = x.clone()
    """,
    "forward overwrote its input, which belongs to the caller: make a new tensor instead of writing into x.",
    about="x_may_have_any_shape_and_layout")

flattens_with_view = mistake.edited("y = torch.exp(x)", "y = x.exp()",
    "backward raised an error for a gradient that is not contiguous: view needs a certain memory layout; work without it, or use "
    "reshape.",
    also=[("return grad * y", "return (grad.view(-1) * y.reshape(-1)).view(y.shape)")])

rounds_e = mistake.edited("torch.exp(x)", "2.718**x",
    "2.718 is only the beginning of e, so the result is slightly off: torch.exp uses all digits.",
    also=[
        ("ctx.save_for_backward(y)", "ctx.save_for_backward(x)"),
        ("(y,) = ctx.saved_tensors\nreturn grad * y", "(x,) = ctx.saved_tensors\nreturn grad * x.exp()"),
    ])

loops_over_the_first_axis = mistake.edited("y = torch.exp(x)", "y = x.exp()",
    "backward raised an error for an x without elements or without axes: a loop over the rows needs at least one. Multiply whole "
    "tensors.",
    also=[("return grad * y", "return torch.stack([g * slope for g, slope in zip(grad, y)])")])

writes_into_the_result = mistake.edited("y = torch.exp(x)", "y = x.exp()",
    "backward wrote into the saved result, which belongs to the caller and is needed again: create a new tensor.",
    also=[("return grad * y", "return y.mul_(grad)")],
    about=("x_may_have_any_shape_and_layout", "grad_is_only_read", "second_derivative_is_right"))

lets_autograd_work = mistake.edited(
    "(y,) = ctx.saved_tensors\nreturn grad * y",
    """
    (x,) = ctx.saved_tensors
    create_graph = torch.is_grad_enabled()
    with torch.enable_grad():
        x = x.view_as(x)
        return torch.autograd.grad(x.exp(), x, grad, create_graph=create_graph)[0]
    """,
    "Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone.",
    also=[("ctx.save_for_backward(y)", "ctx.save_for_backward(x)")],
    forbidden="autograd inside forward and backward")


@mistake(forbidden="autograd inside forward and backward")
def no_function_at_all():
    """PyTorch's own gradient was used, as when Exp.apply calls torch.exp: write your own forward and backward."""

    class Exp:
        apply = staticmethod(torch.exp)

    return {"Exp": Exp}


a_number_for_a_single_element = mistake.edited("grad * y", "grad * (y if y.dim() else y.item())",
    "For a single number .item() detaches the derivative from the graph, so the second derivative is lost. Multiply by "
    "the tensor.")

kept_on_the_class = mistake.edited("ctx.save_for_backward(y)", "ctx.save_for_backward(x)\nExp.x = x",
    "What backward needs is overwritten by the next call of apply: store it on ctx, which each call has for itself.",
    also=[("(y,) = ctx.saved_tensors\nreturn grad * y", "return grad * Exp.x.exp()")])

differentiable_only_once = mistake.edited(
    "@staticmethod\ndef backward", "@staticmethod\n@once_differentiable\ndef backward",
    "The gradient cannot be differentiated: @once_differentiable, no_grad, detach and .data in backward take it "
    "out of the graph.")


@alternative("Exp")
class saves_the_result_in_setup_context(torch.autograd.Function):
    """The newer style: forward without ctx, saving in setup_context."""

    @staticmethod
    def forward(x):
        return torch.exp(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return y * grad


computes_it_again_from_x = alternative.edited("ctx.save_for_backward(y)", "ctx.save_for_backward(x)",
    "Saves the input and calls exp a second time.",
    also=[("(y,) = ctx.saved_tensors\nreturn grad * y", "(x,) = ctx.saved_tensors\nreturn grad * torch.exp(x)")])
