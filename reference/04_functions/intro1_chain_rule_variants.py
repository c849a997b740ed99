"""Known mistakes and unusual but correct solutions for square_backward, difference_backward and sum_backward."""

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write down the derivative of each operation first. Then multiply it by grad.",
    "x * x has the derivative 2 * x. a - b has the derivative 1 for a and -1 for b. A sum has the derivative 1 for each number, so each "
    "gets the same gradient.",
    "The first rule is a product of three factors. The second returns grad and its opposite. The third makes a tensor of the shape of x in which "
    "grad stands everywhere, for instance with expand_as.",
)
WITHOUT_A_GRAPH = "x and grad have no graph, and none is asked for"
EQUIVALENT = {
    'add_detach: return (2 * x * grad).detach()': WITHOUT_A_GRAPH,
    'add_detach: return grad.detach(), -grad': WITHOUT_A_GRAPH,
    'add_detach: return grad, (-grad).detach()': WITHOUT_A_GRAPH,
}


@mistake("square_backward", forbidden="backward")
def calls_backward(x, grad):
    """Autograd computed the gradient: write the rule yourself."""
    with torch.enable_grad():
        leaf = x.detach().clone().requires_grad_()
        (leaf * leaf).backward(grad)
    return leaf.grad


@mistake("square_backward", forbidden="torch.autograd")
def asks_autograd(x, grad):
    """Autograd computed the gradient: write the rule yourself."""
    with torch.enable_grad():
        leaf = x.detach().clone().requires_grad_()
        return torch.autograd.grad(leaf * leaf, leaf, grad)[0]


the_derivative_alone = mistake.edited("return 2 * x * grad", "return 2 * x",
    "You returned the derivative alone: multiply it by grad.",
    common=True,
    pitfall="2 * x alone is the derivative")

without_the_two = mistake.edited("return 2 * x * grad", "return x * grad",
    "The derivative of x * x is 2 * x, not x.")

the_square_itself = mistake.edited("return 2 * x * grad", "return x * x * grad",
    "You used the square itself: its derivative is 2 * x.")

forgets_x = mistake.edited("return 2 * x * grad", "return 2 * grad",
    "x is missing: the derivative of x * x is 2 * x, not 2.")

adds_up_grad = mistake.edited("return 2 * x * grad", "return 2 * x * grad.sum()",
    "You added up grad: each element of x has its own element of grad.")

adds_grad = mistake.edited("return 2 * x * grad", "return 2 * x + grad",
    "You added grad to the derivative: the chain rule multiplies.")

the_same_for_both = mistake.edited("return grad, -grad", "return grad, grad",
    "The derivative of a - b with respect to b is -1: change the sign of its gradient.",
    common=True)

the_sign_of_a = mistake.edited("return grad, -grad", "return -grad, grad",
    "The signs are swapped: b is subtracted, so its gradient has the opposite sign.")

changes_grad_itself = mistake.edited("return grad, -grad", "return grad, grad.neg_()",
    "The sign of grad itself was changed, so both gradients are negative: -grad makes a new tensor.")

gradients_of_a_sum_of_both = mistake.edited("return grad, -grad", "return grad - grad",
    "You returned one tensor: return two gradients, one for a and one for b.")

derivatives_of_a_difference = mistake.edited("return grad, -grad", "return torch.ones_like(grad), -torch.ones_like(grad)",
    "You returned the derivatives alone, 1 and -1: multiply them by grad.")

ones_for_a_sum = mistake.edited("return grad.expand_as(x)", "return torch.ones_like(x)",
    "You returned ones, the derivative alone: multiply them by grad.")

shared_out = mistake.edited("return grad.expand_as(x)", "return grad.expand_as(x) / x.numel()",
    "You divided by the number of elements: that is the rule of a mean.")

not_expanded = mistake.edited("return grad.expand_as(x)", "return grad",
    "Your gradient is a single number: it must have the shape of x.")

times_x = mistake.edited("return grad.expand_as(x)", "return grad * x",
    "You multiplied by x: each number counts once in the sum, so its derivative is 1.")

times_the_sum = mistake.edited("return grad.expand_as(x)", "return torch.ones_like(x) * x.sum() * grad",
    "You multiplied by the sum: each number counts once in it, so its derivative is 1.")

two_axes_alone = mistake.edited("return grad.expand_as(x)", "rows, columns = x.shape\nreturn grad.expand(rows, columns)",
    "sum_backward works only for an x with two axes: x may have any shape, so use the shape as a whole.")

a_sum_of_two = alternative.edited("return 2 * x * grad", "return x * grad + grad * x",
    "The product rule: each of the two factors gets the other one times grad.")

full_of_grad = alternative.edited("return grad.expand_as(x)", "return torch.ones_like(x) * grad",
    "Ones times grad.")

times_one_and_minus_one = alternative.edited(
    "return grad, -grad", "return [1.0 * grad, -1.0 * grad][0], torch.neg(grad)",
    "The derivatives, as numbers.")
