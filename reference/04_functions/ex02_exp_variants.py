"""Known mistakes and odd-but-correct solutions for Exp."""

import torch
from torch.autograd.function import once_differentiable

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
    also=[("return grad * y", "return y.clone()")], common=True)


@mistake("Exp")
class passes_grad_through(torch.autograd.Function):
    """backward returned the upstream gradient unchanged: multiply it by the derivative of exp."""

    @staticmethod
    def forward(ctx, x):
        return x.exp()

    @staticmethod
    def backward(ctx, grad):
        return grad.clone()


caps_large_numbers = mistake.edited("y = torch.exp(x)", "y = x.clamp(max=80).exp()",
    "A large x was cut off before exp, so its result is far too small: leave x as it is, also where exp(x) is huge.")


@mistake("Exp")
class multiplies_by_the_input(torch.autograd.Function):
    """grad was multiplied by x itself: the derivative of exp at x is exp(x)."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x


@mistake("Exp")
class uses_the_power_rule(torch.autograd.Function):
    """x * exp(x - 1) is the rule for powers with a fixed exponent: here the exponent varies, and the derivative is
    exp(x)."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x * (x - 1).exp()


@mistake("Exp")
class slope_at_grad(torch.autograd.Function):
    """The derivative was taken at grad: take it at the x of forward, then multiply by grad."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, grad):
        return grad * grad.exp()


@mistake("Exp")
class keeps_the_result_on_ctx(torch.autograd.Function):
    """An edit or a second derivative gave silently wrong numbers: keep the result with
    ctx.save_for_backward, not as an attribute of ctx.
    """

    @staticmethod
    def forward(ctx, x):
        ctx.y = x.exp()
        return ctx.y

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.y


@mistake("Exp")
class keeps_the_input_on_ctx(torch.autograd.Function):
    """x was edited after forward and the gradient became silently wrong: ctx.save_for_backward(x) would
    have noticed.
    """

    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x.exp()

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.x.exp()


writes_into_grad = mistake.edited("y = torch.exp(x)", "y = x.exp()",
    "backward changed its upstream gradient, which other parts of the graph use too: create a new tensor (grad * y, not "
    "grad.mul_(y)).",
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
    "forward overwrote its input: x.exp_() changes the caller's tensor, x.exp() makes a new one.")

flattens_with_view = mistake.edited("y = torch.exp(x)", "y = x.exp()",
    "backward raised for a gradient that is not contiguous: view needs a certain memory layout; work without it, or use "
    "reshape.",
    also=[("return grad * y", "return (grad.view(-1) * y.reshape(-1)).view(y.shape)")])


@mistake("Exp")
class rounds_e(torch.autograd.Function):
    """2.718 is only the beginning of e, so the result is slightly off: torch.exp knows all digits."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 2.718**x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * x.exp()


loops_over_the_first_axis = mistake.edited("y = torch.exp(x)", "y = x.exp()",
    "backward raised for an x without elements or without axes: a loop over the rows needs at least one. Multiply whole "
    "tensors.",
    also=[("return grad * y", "return torch.stack([g * slope for g, slope in zip(grad, y)])")])

writes_into_the_result = mistake.edited("y = torch.exp(x)", "y = x.exp()",
    "backward wrote into the saved result, which belongs to the caller and is needed again: y * grad, not y.mul_(grad).",
    also=[("return grad * y", "return y.mul_(grad)")])


@mistake("Exp")
class lets_autograd_work(torch.autograd.Function):
    """Autograd computed the gradient inside backward: write the formula yourself, with tensor operations alone."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        create_graph = torch.is_grad_enabled()
        with torch.enable_grad():
            x = x.view_as(x)
            return torch.autograd.grad(x.exp(), x, grad, create_graph=create_graph)[0]


@mistake()
def no_function_at_all():
    """Exp.apply called torch.exp, whose gradient PyTorch knows: write forward and backward of your own."""

    class Exp:
        apply = staticmethod(torch.exp)

    return {"Exp": Exp}


@mistake("Exp")
class a_number_for_a_single_element(torch.autograd.Function):
    """For a single number .item() detaches the derivative from the graph, so the second derivative is lost. Multiply by the tensor."""

    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * (y if y.dim() else y.item())


@mistake("Exp")
class kept_on_the_class(torch.autograd.Function):
    """What backward needs was kept on the class, where the next call of apply overwrites it: keep it on ctx, which
    each call has for itself."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        kept_on_the_class.x = x
        return x.exp()

    @staticmethod
    def backward(ctx, grad):
        return grad * kept_on_the_class.x.exp()


@mistake("Exp")
class differentiable_only_once(torch.autograd.Function):
    """The gradient cannot be differentiated: @once_differentiable, or no_grad around all of backward, detaches it
    from the graph."""

    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * y


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


@alternative("Exp")
class computes_it_again_from_x(torch.autograd.Function):
    """Saves the input and calls exp a second time."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * torch.exp(x)
