"""Known mistakes and unusual but correct solutions for GradReverse and SignSTE."""

import torch
from torch.autograd.function import once_differentiable  # noqa: F401 (for an edit)

from torchdojo.variants import alternative, mistake

HINTS = (
    "Neither backward is the derivative of its forward. Write down, for each, what the description says it "
    "returns.",
    "GradReverse has two arguments, so backward returns two values. forward must return a new tensor, not x "
    "itself. SignSTE needs x in backward, to see where it is between -1 and 1.",
    "A number such as scale is kept as an attribute of ctx, a tensor with save_for_backward. For the sign "
    "choose between two tensors of x's dtype and device by comparing x with 0; in backward compare the "
    "absolute value of x with 1.",
)


returns_x_itself = mistake.edited("x.clone()", "x.view_as(x)",
    "The result shares x's memory, and an in-place edit of it raises an error: return a copy of x, not x or a view of it.")

does_not_reverse = mistake.edited("return -ctx.scale * grad, None", "return ctx.scale * grad, None",
    "The gradient kept its sign: multiply it by -scale.")

forgets_the_scale = mistake.edited("ctx.scale = scale", "",
    "The gradient was only negated: multiply it by -scale.",
    also=[("return -ctx.scale * grad, None", "return -grad, None")])

divides_by_the_scale = mistake.edited("return -ctx.scale * grad, None", "return grad / -ctx.scale, None",
    "The gradient was divided by -scale: multiply it.")

scales_forward_too = mistake.edited("x.clone()", "-scale * x",
    "forward changed the numbers: only the gradient is scaled and reversed, the result is x as it is.")

forgets_none_for_scale = mistake.edited("return -ctx.scale * grad, None", "return -ctx.scale * grad",
    "backward returned one value for two arguments: add None for scale, which has no gradient.",
    pitfall="return None for it")

writes_into_grad = mistake.edited("return -ctx.scale * grad, None", "return grad.mul_(-ctx.scale), None",
    "backward changed its upstream gradient, which other parts of the graph use too: create a new tensor instead "
    "of writing into grad.")

zero_at_zero = mistake.edited(
    "return torch.where(x >= 0, torch.ones_like(x), -torch.ones_like(x))", "return torch.sign(x)",
    "The sign of 0 came out as 0: here it is 1, so that there are only two values.",
    pitfall="torch.sign gives 0 at 0")

minus_one_at_zero = mistake.edited("x >= 0", "x > 0",
    "The sign of 0 came out as -1: here it is 1, as for positive numbers.")

zero_below_zero = mistake.edited("torch.where(x >= 0, torch.ones_like(x), -torch.ones_like(x))", "(x >= 0).to(x.dtype)",
    "Where x is negative the result is 0: it must be -1.")

true_derivative = mistake.edited(
    """
    (x,) = ctx.saved_tensors
    return grad * (x.abs() <= 1)
    """,
    "return torch.zeros_like(grad)",
    "All gradients are 0, the true derivative of a step: pass grad through where x lies between -1 and 1.")

passes_everything_through = mistake.edited(
    """
    (x,) = ctx.saved_tensors
    return grad * (x.abs() <= 1)
    """,
    "return grad.clone()",
    "grad went through everywhere: where x is beyond -1 or 1 it must be 0.")

ends_excluded = mistake.edited("return grad * (x.abs() <= 1)", "return grad * (x.abs() < 1)",
    "At -1 and at 1 the gradient was stopped: both ends belong to the range that lets it through.")

upper_end_excluded = mistake.edited("(x.abs() <= 1)", "((x >= -1) & (x < 1))",
    "At x = 1 the gradient was stopped: both ends belong to the range that lets it through.")

lower_end_excluded = mistake.edited("(x.abs() <= 1)", "((x > -1) & (x <= 1))",
    "At x = -1 the gradient was stopped: both ends belong to the range that lets it through.")

clips_grad_instead = mistake.edited(
    """
    (x,) = ctx.saved_tensors
    return grad * (x.abs() <= 1)
    """,
    "return grad.clamp(-1, 1)",
    "grad itself was cut to the range from -1 to 1: x decides where it passes, and what passes is unchanged.")

keeps_x_on_ctx = mistake.edited("ctx.save_for_backward(x)", "ctx.x = x",
    "After an in-place edit of x the gradient is silently wrong: ctx.save_for_backward(x) would detect the edit.",
    also=[(
        """
        (x,) = ctx.saved_tensors
        return grad * (x.abs() <= 1)
        """,
        "return grad * (ctx.x.abs() <= 1)",
    )])

sign_of_the_default_dtype = mistake.edited(
    "torch.where(x >= 0, torch.ones_like(x), -torch.ones_like(x))", "torch.where(x >= 0, 1.0, -1.0)",
    "The result has the default dtype: 1.0 and -1.0 alone don't know that of x. Take dtype and device from x.",
    also=[("return grad * (x.abs() <= 1)", "return (grad * (x.abs() <= 1)).to(x.dtype)")])

writes_into_grad_of_the_sign = mistake.edited("return grad * (x.abs() <= 1)", "grad[x.abs() > 1] = 0\nreturn grad",
    "backward changed its upstream gradient, which other parts of the graph use too: create a new tensor instead of writing into grad.")

zero_scale_becomes_one = mistake.edited("ctx.scale = scale", "ctx.scale = scale or 1.0",
    'A scale of 0 was taken for "no scale given": 0 counts as False. Use scale as it comes.')

saves_the_result = mistake.edited("return x.clone()", "y = x.clone()\nctx.save_for_backward(y)\nreturn y",
    "backward refused to work after the result was edited, though it does not need its numbers: save nothing but scale.",
    also=[("return -ctx.scale * grad, None",
         "(y,) = ctx.saved_tensors\nreturn grad.new_full(y.shape, -ctx.scale) * grad, None")])

saves_x = mistake.edited("return x.clone()", "ctx.save_for_backward(x)\nreturn x.clone()",
    "backward refused to work after x was edited, though it does not need its numbers: save nothing but scale.",
    also=[("return -ctx.scale * grad, None",
         "(x,) = ctx.saved_tensors\nreturn grad.new_full(x.shape, -ctx.scale) * grad, None")])

sign_of_minus_zero = mistake.edited(
    "torch.where(x >= 0, torch.ones_like(x), -torch.ones_like(x))", "torch.copysign(torch.ones_like(x), x)",
    "-0.0 came out as -1: it equals 0, and 0 gives 1. Compare x with 0 instead of looking at its sign bit.")

only_cut_above = mistake.edited("return grad * (x.abs() <= 1)", "return grad * (x <= 1)",
    "grad went through far below -1: it must be 0 on both sides. Compare the size of x, not x.")

lets_autograd_work = mistake.edited(
    "return grad * (x.abs() <= 1)",
    """
    create_graph = torch.is_grad_enabled()
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        return torch.autograd.grad(x.clamp(-1, 1), x, grad, create_graph=create_graph)[0]
    """,
    "Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone.",
    forbidden="autograd inside forward and backward")

remembers_one_scale_for_all = mistake.edited("ctx.scale = scale", "GradReverse.scale = scale",
    "The scale is overwritten by the next call of apply: store it on ctx, which each call has for itself.",
    also=[("return -ctx.scale * grad, None", "return -GradReverse.scale * grad, None")])

kept_on_the_class = mistake.edited("ctx.save_for_backward(x)", "SignSTE.small = x.abs() <= 1",
    "What backward needs is overwritten by the next call of apply: store it on ctx, which each call has for itself.",
    also=[("(x,) = ctx.saved_tensors\nreturn grad * (x.abs() <= 1)", "return grad * SignSTE.small")])

reverses_only_once = mistake.edited("@staticmethod\ndef backward", "@staticmethod\n@once_differentiable\ndef backward",
    "The gradient cannot be differentiated: @once_differentiable, detach, .data and no_grad in backward detach it from "
    "the graph.",
    occurrence=1)

sign_only_once = mistake.edited("@staticmethod\ndef backward", "@staticmethod\n@once_differentiable\ndef backward",
    "The gradient cannot be differentiated: @once_differentiable, detach, .data and no_grad in backward detach it from "
    "the graph.",
    occurrence=2)

marks_the_result = mistake.edited(
    "return torch.where(x >= 0, torch.ones_like(x), -torch.ones_like(x))",
    """
    y = torch.where(x >= 0, torch.ones_like(x), -torch.ones_like(x))
    ctx.mark_non_differentiable(y)
    return y
    """,
    "The result has no grad_fn, so backward is never called, as after ctx.mark_non_differentiable: a gradient should "
    "pass here.")


@alternative("GradReverse")
class adds_zero_in_setup_context(torch.autograd.Function):
    """The newer style; x times 1 is a new tensor too."""

    @staticmethod
    def forward(x, scale):
        return x * 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.scale = inputs

    @staticmethod
    def backward(ctx, grad):
        return grad.neg() * ctx.scale, None


arithmetic_on_a_mask = alternative.edited("ctx.save_for_backward(x)", "ctx.save_for_backward((x > 1) | (x < -1))",
    "Keeps the mask alone; the sign from a comparison, by arithmetic.",
    also=[
        ("torch.where(x >= 0, torch.ones_like(x), -torch.ones_like(x))", "(x >= 0).to(x.dtype) * 2 - 1"),
        ("(x,) = ctx.saved_tensors\nreturn grad * (x.abs() <= 1)",
         "(outside,) = ctx.saved_tensors\nreturn grad.masked_fill(outside, 0)"),
    ])


@alternative()
def both_in_the_other_style():
    """Both classes with setup_context."""

    class Reversed(torch.autograd.Function):
        @staticmethod
        def forward(x, scale):
            return torch.empty_like(x).copy_(x)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.scale = inputs[1]

        @staticmethod
        def backward(ctx, grad):
            return grad * -ctx.scale, None

    class Signed(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return torch.ones_like(x).masked_fill_(x < 0, -1)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return torch.where((x >= -1) & (x <= 1), grad, torch.zeros_like(grad))

    return {"GradReverse": Reversed, "SignSTE": Signed}
