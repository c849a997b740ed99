"""Known mistakes and unusual but correct solutions for Triple and Square."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "A gradient is the derivative times grad. The square also needs x, which its forward saved.",
    "Unpack ctx.saved_tensors to get x. The chain rule multiplies the derivative, 2 * x, by the upstream gradient.",
    "Triple returns grad times the factor. The first line of the other backward unpacks the tuple with one tensor in it, and the second returns a "
    "product of three factors.",
)


the_derivative_alone = mistake.edited("return 2 * x * grad", "return 2 * x",
    "You returned the derivative alone: multiply it by grad.",
    common=True)

grad_alone = mistake.edited("return 2 * x * grad", "return grad",
    "You passed grad through as it is: multiply it by the derivative, 2 * x.")

without_the_two = mistake.edited("return 2 * x * grad", "return x * grad",
    "The derivative of x * x is 2 * x, not x.")

the_square_itself = mistake.edited("return 2 * x * grad", "return x * x * grad",
    "You used the square itself: its derivative is 2 * x.")

without_x = mistake.edited("return 2 * x * grad", "return 2 * grad",
    "x is missing: the derivative of x * x is 2 * x, not 2.")

the_tuple_itself = mistake.edited("(x,) = ctx.saved_tensors", "x = ctx.saved_tensors",
    "ctx.saved_tensors is a tuple, even with one tensor in it: take the tensor out before you multiply.",
    pitfall="ctx.saved_tensors is a tuple")

grad_in_place_of_x = mistake.edited("return 2 * x * grad", "return 2 * grad * grad",
    "You used grad in place of x: the derivative is 2 * x, and grad is one more factor.")

adds_grad = mistake.edited("return 2 * x * grad", "return 2 * x + grad",
    "You added grad to the derivative: the chain rule multiplies.")

the_triple_of_nothing = mistake.edited("return 3 * grad", "return 3 * torch.ones_like(grad)",
    "Triple returns its derivative alone: multiply it by grad.")

passes_grad_through = mistake.edited("return 3 * grad", "return grad",
    "Triple passes grad through as it is: multiply it by the derivative, 3.")

adds_three = mistake.edited("return 3 * grad", "return 3 + grad",
    "Triple adds its derivative to grad: the chain rule multiplies.")

a_third = mistake.edited("return 3 * grad", "return grad / 3",
    "Triple divides grad by 3: the derivative multiplies.")

the_wrong_sign = mistake.edited("return 2 * x * grad", "return -2 * x * grad",
    "Your gradient has the wrong sign: the derivative is 2 * x.")


@alternative("Square")
class WithSetupContext(torch.autograd.Function):
    """The newer style, in which forward has no ctx."""

    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0]
        return grad.mul(x).mul(2)


the_product_rule = alternative.edited("return 2 * x * grad", "return x * grad + grad * x",
    "Each of the two factors gets the other one times grad.")


lets_autograd_work = mistake.edited("return 2 * x * grad",
    """
    with torch.enable_grad():
        leaf = x.detach().requires_grad_()
        return torch.autograd.grad(leaf * leaf, leaf, grad)[0]
    """,
    "Autograd computed the gradient inside backward: write the rule yourself.", forbidden="autograd inside backward")
