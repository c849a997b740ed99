"""Known mistakes and unusual but correct solutions for ReLU."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "The derivative is either 0 or 1. What decides, and what did the description say about x = 0?",
    "Where x was positive, the gradient flows unchanged; elsewhere it becomes 0. Make a new tensor for that: "
    "don't change grad.",
    "Save x in forward with ctx.save_for_backward. In backward compare the saved x with 0; a True counts as 1 "
    "and a False as 0 in a product, so one line remains.",
)


slope_one_at_zero = mistake.edited("return grad * (x > 0)", "return grad * (x >= 0)",
    "At x = 0 you let the gradient through, but in this exercise the derivative at 0 is 0: it is 1 only for x > 0.",
    common=True,
    pitfall="x >= 0 lets the gradient pass")

half_a_slope_at_zero = mistake.edited("return grad * (x > 0)", "return grad * (x.sign() + 1) / 2",
    "At x = 0 half of the gradient went through (as torch.maximum does): here the derivative at 0 is 0.")

sign_as_the_slope = mistake.edited("return grad * (x > 0)", "return grad * x.sign()",
    "Where x is negative, backward returned -grad: the sign of x is -1 there, but the derivative is 0.")

returns_the_mask = mistake.edited("return grad * (x > 0)", "return (x > 0).to(grad.dtype)",
    "backward returned the derivative alone, 0 or 1: multiply it by the upstream gradient.",
    common=True,
    about=("gradient_passes_where_x_is_positive", "gradient_can_be_differentiated"))

passes_grad_through = mistake.edited(
    """
    (x,) = ctx.saved_tensors
    return grad * (x > 0)
    """,
    "return grad.clone()",
    "backward let every gradient through: where x is 0 or less, the gradient must be 0.")

mask_from_grad = mistake.edited(
    """
    (x,) = ctx.saved_tensors
    return grad * (x > 0)
    """,
    "return grad * (grad > 0)",
    "The sign of grad decided instead of the sign of x: ReLU is applied to x, its derivative to grad.")

the_tuple_itself = mistake.edited("(x,) = ctx.saved_tensors", "x = ctx.saved_tensors",
    "ctx.saved_tensors is a tuple, even with one tensor in it: take the tensor out before you compare it.")

passes_what_is_negative = mistake.edited("return grad * (x > 0)", "return grad * (x < 0)",
    "grad went through where x is negative, and not where it is positive: it's the other way around.")

multiplies_by_the_result = mistake.edited("return grad * (x > 0)", "return grad * (x.clamp(min=0))",
    "grad was multiplied by the result: multiply by the derivative, which is 1 where x is positive.")

writes_into_grad = mistake.edited(
    "return grad * (x > 0)",
    """
    grad[x <= 0] = 0
    return grad
    """,
    "backward changed its upstream gradient, which other parts of the graph use too: create a new tensor.")

keeps_x_on_ctx = mistake.edited("ctx.save_for_backward(x)", "ctx.x = x",
    "After an in-place edit of x the gradient is silently wrong: ctx.save_for_backward(x) would detect the edit.",
    also=[(
        """
        (x,) = ctx.saved_tensors
        return grad * (x > 0)
        """,
        "return grad * (ctx.x > 0)",
    )])

clamps_x_in_place = mistake.edited(
    """
    ctx.save_for_backward(x)
    return x.clamp(min=0)
    """,
    """
    y = x.clamp_(min=0).clone()
    ctx.save_for_backward(y)
    return y
    """,
    "forward changed its input, which belongs to the caller: make a new tensor instead of writing into x.")

infinity_times_zero = mistake.edited("return x.clamp(min=0)", "return x * (x > 0)",
    "Minus infinity became nan: infinity times 0 and infinity minus infinity are nan. Choose between x and 0, "
    "with clamp or where, instead of calculating.")

flattens_with_view = mistake.edited(
    "return grad * (x > 0)", "return (grad.view(-1) * (x > 0).reshape(-1)).view(x.shape)",
    "backward raised an error for a gradient that is not contiguous: view needs a certain memory layout; work without it, or use "
    "reshape.")

leaks_below_zero = mistake.edited("return x.clamp(min=0)", "return torch.where(x > 0, x, 0.01 * x)",
    "Negative numbers became small negative numbers, as in a leaky ReLU: here they become 0.")

threshold_does_it = mistake.edited("return x.clamp(min=0)", "return torch.threshold(x, 0.0, 0.0)",
    "torch.threshold does all the work: choose between x and 0 yourself.", forbidden="torch.threshold")

leaky_relu_does_it = mistake.edited("return x.clamp(min=0)", "return torch.nn.functional.leaky_relu(x, 0.0)",
    "leaky_relu does all the work: choose between x and 0 yourself.", forbidden="leaky_relu")

the_answer_itself = mistake.edited("return x.clamp(min=0)", "return torch.nn.functional.relu(x)",
    "A ready-made ReLU does all the work: choose between x and 0 yourself, with clamp or where.",
    forbidden="torch.relu in any spelling")

returns_x_if_nothing_is_cut = mistake.edited(
    "return x.clamp(min=0)", "return x.view_as(x) if bool((x >= 0).all()) else x.clamp(min=0)",
    "Where nothing was negative, the result shared x's memory: return a new tensor in every case.")

loops_over_the_first_axis = mistake.edited(
    "return grad * (x > 0)",
    """
    rows = [grad[i] * (x[i] > 0) for i in range(len(x))]
    return torch.stack(rows) if rows else torch.zeros_like(x)
    """,
    "backward raised an error for an x without axes: a loop over the rows needs one. Work on whole tensors.")

forgets_the_mask_after_use = mistake.edited("ctx.save_for_backward(x)", "ctx.mask = x > 0",
    "backward works only once, because it discards what forward saved. Leave that to PyTorch, which frees it once it is no longer needed.",
    also=[("(x,) = ctx.saved_tensors\nreturn grad * (x > 0)", "mask, ctx.mask = ctx.mask, None\nreturn grad * mask")])

detaches_grad = mistake.edited("return grad * (x > 0)", "return grad.detach() * (x > 0)",
    "The gradient cannot be differentiated: @once_differentiable, detach, .data and no_grad in backward detach grad from "
    "the graph.")

lets_autograd_work = mistake.edited(
    "return grad * (x > 0)",
    """
    create_graph = torch.is_grad_enabled()
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        return torch.autograd.grad(torch.where(x > 0, x, torch.zeros_like(x)), x, grad, create_graph=create_graph)[0]
    """,
    "Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone.",
    forbidden="autograd inside forward and backward")

kept_on_the_class = mistake.edited("ctx.save_for_backward(x)", "ReLU.mask = x > 0",
    "What backward needs is overwritten by the next call of apply: store it on ctx, which each call has for itself.",
    also=[("(x,) = ctx.saved_tensors\nreturn grad * (x > 0)", "return grad * ReLU.mask")])

small_counts_as_zero = mistake.edited("return grad * (x > 0)", "return grad * (x > 1e-6)",
    "Small positive numbers were taken for 0, and their gradient was stopped: for every x > 0, however small, the "
    "derivative is 1.")


@alternative("ReLU")
class saves_a_mask_in_setup_context(torch.autograd.Function):
    """The newer style, saving the result; where() twice."""

    @staticmethod
    def forward(x):
        return torch.where(x > 0, x, torch.zeros_like(x))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return torch.where(y > 0, grad, torch.zeros_like(grad))


keeps_a_boolean_mask = alternative.edited(
    "ctx.save_for_backward(x)\nreturn x.clamp(min=0)",
    "off = x <= 0\nctx.save_for_backward(off)\nreturn x.masked_fill(off, 0)",
    "Only the mask is kept, so edits of x do no harm; masked_fill in both directions.",
    also=[("(x,) = ctx.saved_tensors\nreturn grad * (x > 0)",
         "(off,) = ctx.saved_tensors\nreturn grad.masked_fill(off, 0)")])

with_a_step_function = alternative.edited("return x.clamp(min=0)", "y = x.clone()\ny[x < 0] = 0\nreturn y",
    "heaviside gives the slope; PyTorch cannot differentiate it, and need not.",
    also=[("grad * (x > 0)", "grad * torch.heaviside(x, x.new_zeros(()))")])

slope_from_python_numbers = alternative.edited("return grad * (x > 0)", "return grad * (torch.where(x > 0, 1.0, 0.0))",
    "where() of two Python numbers gives the slope in the default dtype; grad keeps its own.")
