"""Known mistakes and odd-but-correct solutions for Exp."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "What is the derivative of e to the power x, and have you perhaps computed it already?",
    "backward multiplies the slope at each element by the gradient that arrives. What it needs from"
    " forward goes through ctx.save_for_backward and comes back, as a tuple, in ctx.saved_tensors.",
    "In forward, give the result a name, save it, return it. In backward, unpack the tuple of one saved"
    " tensor and return a new tensor: the product of two tensors that you already hold.",
)


@mistake("Exp")
class ignores_grad(torch.autograd.Function):
    """backward returned the slope alone: multiply it by the gradient that arrives, which is not always 1."""

    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return y.clone()


@mistake("Exp")
class passes_grad_through(torch.autograd.Function):
    """backward returned the gradient as it came: multiply it by the slope of exp."""

    @staticmethod
    def forward(ctx, x):
        return x.exp()

    @staticmethod
    def backward(ctx, grad):
        return grad.clone()


@mistake("Exp")
class multiplies_by_the_input(torch.autograd.Function):
    """grad was multiplied by x itself: the slope of exp at x is exp(x)."""

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
    """x * exp(x - 1) is the rule for powers with a fixed exponent: here the exponent varies, and the slope
    is exp(x).
    """

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
    """The slope was taken at grad: take it at the x of forward, then multiply by grad."""

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


@mistake("Exp")
class writes_into_grad(torch.autograd.Function):
    """backward changed the gradient it was given: others use that tensor too, so make a new one (grad * y,
    not grad.mul_(y)).
    """

    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad.mul_(y)


@mistake("Exp")
class detaches_in_backward(torch.autograd.Function):
    """The second derivative lost its part through the slope: detach, .data and no_grad in backward cut that
    off.
    """

    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * y.detach()


@mistake("Exp")
class works_in_place_on_x(torch.autograd.Function):
    """forward overwrote its input: x.exp_() changes the caller's tensor, x.exp() makes a new one."""

    @staticmethod
    def forward(ctx, x):
        x.exp_()
        y = x.clone()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * y


@mistake("Exp")
class flattens_with_view(torch.autograd.Function):
    """backward raised for a gradient that is not contiguous: view needs a certain memory layout; work
    without it, or use reshape.
    """

    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return (grad.view(-1) * y.reshape(-1)).view(y.shape)


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
