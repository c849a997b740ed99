"""Known mistakes and unusual but correct solutions for gradient_penalty."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: return x.new_zeros(()).detach()": "new zeros have no history",
}

HINTS = (
    "Compute the gradient of the scores with respect to x. Does it require grad?",
    "The scores belong to separate rows, so the gradient of their sum holds each row's own gradient. With "
    "create_graph=True the gradient is the result of recorded operations, and can be part of a loss.",
    "If x does not require grad, use a detached copy that does; if it does, use x itself. Score it, take the "
    "gradient of the sum with its graph created and unused inputs allowed, square, and average over the rows.",
)


no_graph_of_the_gradient = mistake.edited("create_graph=True", "create_graph=False",
    "The penalty is a constant and cannot be trained on: pass create_graph=True.",
    pitfall="Gradients come back as constants")

cuts_x_off = mistake.edited("if not x.requires_grad:", "if True:",
    "No gradient reaches x, though x requires grad: use x itself then, and a detached stand-in only when it does not require "
    "grad.")

detaches_the_gradient = mistake.edited(
    "return grad.square().sum() / len(x)", "return (grad.square().sum() / len(x)).detach().requires_grad_()",
    "The penalty can't be used for training: the gradient was detached, or converted to plain numbers, and then "
    "made to require grad again.",
    also=[("x.new_zeros(())", "x.new_zeros(()).requires_grad_()")])

one_factor_is_a_constant = mistake.edited("grad.square().sum()", "(grad * grad.detach()).sum()",
    "The value is right and its gradients are half of what they should be: one of the two factors of each square is detached.")


@mistake("gradient_penalty")
def clears_the_grad_of_x(critic, x):
    """The .grad that x had before is gone: it belongs to the caller. torch.autograd.grad returns the gradient
    without changing any .grad."""
    x = x if x.requires_grad else x.detach().requires_grad_()
    x.retain_grad()
    scores = critic(x)
    if scores.requires_grad:
        scores.sum().backward(create_graph=True, inputs=[x])
    grad, x.grad = x.grad, None
    return scores.new_zeros(()) if grad is None else grad.square().sum() / len(x)


sums_over_the_batch = mistake.edited("grad.square().sum() / len(x)", "grad.square().sum()",
    "The result grows with the batch: divide the sum over the rows by the number of rows.")

averages_over_everything = mistake.edited("grad.square().sum() / len(x)", "grad.square().mean()",
    "The result is too small: average over the rows, but add up the squares inside each row.")

length_without_square = mistake.edited(
    "grad.square().sum() / len(x)", "(grad.reshape(len(x), -1).square().sum(dim=1) + 1e-30).sqrt().mean()",
    "The norms were not squared: use the sum of the squares, without a square root.")

root_then_square = mistake.edited(
    "grad.square().sum() / len(x)", "grad.reshape(len(x), -1).square().sum(dim=1).sqrt().pow(2).mean()",
    "The gradients are nan where a row's gradient is zero: the derivative of sqrt is infinite there. The squared norm needs no square root at all.")

distance_from_length_one = mistake.edited(
    "grad.square().sum() / len(x)", "((grad.reshape(len(x), -1).square().sum(dim=1) + 1e-30).sqrt() - 1).square().mean()",
    "The penalty is 0 for gradients of norm 1: that is another well-known penalty. Here, use the squared norm itself.",
    also=[("x.new_zeros(())", "x.new_ones(())")])

mean_of_the_scores = mistake.edited("scores.sum()", "scores.mean()",
    "The result is too small by the square of the batch size: differentiate the sum of the scores, whose gradient is each "
    "row's own. The mean divides every row's gradient by the batch size.")

makes_x_require_grad = mistake.edited("x.detach().requires_grad_()", "x.requires_grad_()",
    "x requires grad afterwards but did not before: turn it on for a detached stand-in, not for the caller's tensor.")

stumbles_over_constants = mistake.edited("if not scores.requires_grad:", "if False:",
    "A critic that does not use x raised an error: its penalty is 0, but autograd raises an error unless you handle that case.",
    also=[(", materialize_grads=True", "")])

fills_grad_on_the_way = mistake.edited("(grad,) = ", "scores.sum().backward(retain_graph=True)\n(grad,) = ",
    "The .grad of the critic's parameters changed during the call: backward fills every leaf. Use torch.autograd.grad, which "
    "only returns the gradient.")

calls_the_critic_twice = mistake.edited("if not scores.requires_grad:", "if not critic(x).requires_grad:",
    "The critic was called twice: keep its scores.")

adds_over_the_last_axis_only = mistake.edited("grad.square().sum() / len(x)", "grad.square().sum(dim=-1).mean()",
    "The squares were added up along the last axis only: a row's gradient has all axes but the first.")

adds_over_axis_one_only = mistake.edited("grad.square().sum() / len(x)", "grad.square().sum(dim=1).mean()",
    "The squares were added up along axis 1 only: a row may have more axes, or none, and its gradient has all of them.")

views_the_gradient = mistake.edited("grad.square().sum() / len(x)", "grad.view(len(x), -1).square().sum(dim=1).mean()",
    "view needs elements in memory order, but a gradient may be laid out like a transposed x: use reshape or flatten.")


@alternative("gradient_penalty")
def ones_as_upstream(critic, x):
    """The scores are weighted by ones instead of summed."""
    x = x.detach().clone().requires_grad_(True) if not x.requires_grad else x
    scores = critic(x)
    if scores.grad_fn is None:
        return torch.zeros((), dtype=x.dtype, device=x.device)
    grads = torch.autograd.grad(
        outputs=scores, inputs=x, grad_outputs=torch.ones_like(scores), create_graph=True, allow_unused=True
    )
    if grads[0] is None:
        return 0 * x.sum()
    return (grads[0] * grads[0]).reshape(x.shape[0], -1).sum(dim=1).mean()


@alternative("gradient_penalty")
def adds_row_by_row(critic, x):
    """The gradient of each score is taken in turn, and the squares are added up in a loop."""
    x = x if x.requires_grad else x.detach().requires_grad_()
    total = torch.zeros((), dtype=x.dtype, device=x.device)
    for score in critic(x).reshape(-1):
        if score.requires_grad:
            (grad,) = torch.autograd.grad(score, x, create_graph=True, materialize_grads=True)
            total = total + (grad**2).sum()
    return total / x.size(0)


square_of_the_norm = alternative.edited("grad.square().sum() / len(x)", "grad.norm() ** 2 / len(x)",
    "The norm of all gradients together, squared: PyTorch's norm has the slope 0 at 0.")
