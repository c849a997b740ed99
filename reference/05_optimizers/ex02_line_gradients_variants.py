"""Known mistakes and unusual but correct solutions for line_gradients."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_view: residual = w * X + b - y.view(X.shape)": "a vector of any stride, and a column, can be viewed as a column",
    "swap_view: return dw.view(w.shape), db.reshape(b.shape)": "a mean has one element and can be viewed as (1,) or ()",
    "swap_view: return dw.reshape(w.shape), db.view(b.shape)": "a mean has one element and can be viewed as (1,) or ()",
}

HINTS = (
    "Write the loss for a single point and take its derivative on paper, for w and for b.",
    "The derivative of r squared is 2 r times the derivative of r. For w the inner derivative is X, for b "
    "it is 1. The loss is a mean, so both gradients are means over the points.",
    "Bring y to the shape of X, take prediction minus target, double it, and average it (for b) or average "
    "its product with X (for w). One thing is left: the shapes of w and b.",
)


sums_instead_of_averaging = mistake.edited("(2 * residual * X).mean()", "(2 * residual * X).sum()",
    "Your gradients are n times too large: the loss is a mean over the points, so its gradients are means too.",
    also=[("(2 * residual).mean()", "(2 * residual).sum()")],
    about=("dw_is_the_mean_of_its_slopes", "db_is_the_mean_of_its_slopes"))

forgets_the_two = mistake.edited("(2 * residual * X).mean()", "(residual * X).mean()",
    "Both gradients are half of what they should be: the derivative of r squared is 2 r.",
    also=[("(2 * residual).mean()", "residual.mean()")],
    about=("dw_is_the_mean_of_its_slopes", "db_is_the_mean_of_its_slopes"))

subtracts_a_row_from_a_column = mistake.edited("y.reshape(X.shape)", "y",
    "(n, 1) minus (n,) is an (n, n) matrix of every prediction against every target: make y a column first.",
    pitfall="(n, 1) minus (n,) is an (n, n) matrix")

points_the_other_way = mistake.edited("w * X + b - y.reshape(X.shape)", "y.reshape(X.shape) - (w * X + b)",
    "Both gradients have the wrong sign: with prediction minus target as the residual, no minus belongs before the 2.",
    about=("dw_is_the_mean_of_its_slopes", "db_is_the_mean_of_its_slopes"))

forgets_the_inner_derivative = mistake.edited("2 * residual * X", "2 * residual",
    "dw equals db: for w the chain rule also multiplies by X, the derivative of w * X + b with respect to w.",
    about="dw_is_the_mean_of_its_slopes")

averages_before_multiplying = mistake.edited("(2 * residual * X).mean()", "(2 * residual).mean() * X.mean()",
    "The mean of a product is not the product of the means: multiply by X point by point, then average.",
    about="dw_is_the_mean_of_its_slopes")

predicts_with_a_matrix_product = mistake.edited(
    "w * X + b - y.reshape(X.shape)", "X @ w + b - y if w.dim() else w * X + b - y.reshape(X.shape)",
    "With w of shape (1,) your predictions are (n,), as X @ w is, and minus targets of shape (n, 1) they become an (n, "
    "n) matrix: write w * X, or bring both to one shape.")

keeps_the_graph = mistake.edited("@torch.no_grad()", "",
    "The results are still part of a graph when an input requires grad: compute under no_grad, or detach.")

drops_the_shape = mistake.edited("dw.reshape(w.shape), db.reshape(b.shape)", "dw, db",
    "The results are 0-dim although w or b has shape (1,): a gradient has the shape of what it belongs to.")


@mistake("line_gradients", forbidden="backward")
@torch.enable_grad()
def lets_autograd_do_it(w, b, X, y):
    """backward() did the work and filled w.grad and b.grad: write the two formulas yourself."""
    w.requires_grad_()
    b.requires_grad_()
    ((w * X + b - y.reshape(X.shape)) ** 2).mean().backward()
    return w.grad.clone(), b.grad.clone()


@mistake("line_gradients", forbidden="torch.autograd")
def asks_autograd_quietly(w, b, X, y):
    """autograd computed the gradients: write the two formulas yourself."""
    with torch.enable_grad():
        copies = [t.detach().clone().requires_grad_() for t in (w, b)]
        loss = ((copies[0] * X + copies[1] - y.reshape(X.shape)) ** 2).mean()
        return torch.autograd.grad(loss, copies)


adds_an_axis_to_a_column = mistake.edited("y.reshape(X.shape)", "y.unsqueeze(-1)",
    "With y of shape (n, 1) the subtraction gave a matrix of every prediction and every target: bring X and y to one shape, "
    "whichever shape y has.",
    about=("dw_is_the_mean_of_its_slopes", "flat_targets_mean_the_same"))

leaves_recording_on = mistake.edited("@torch.no_grad()", "",
    "Grad mode is on at the end, although the caller had turned it off: use `with torch.no_grad():`, which restores what was "
    "before.",
    also=[
        ("residual = w * X", "torch.set_grad_enabled(False)\nresidual = w * X"),
        ("return dw", "torch.set_grad_enabled(True)\nreturn dw"),
    ])


@alternative("line_gradients")
def dot_products(w, b, X, y):
    """Flat vectors and dot products, divided by n by hand."""
    x, t = X.detach().reshape(-1), y.detach().reshape(-1)
    r = w.detach() * x + b.detach() - t
    n = len(x)
    return (2 / n * (r @ x)).reshape(w.shape), (2 / n * r.sum()).reshape(b.shape)


@alternative("line_gradients")
@torch.no_grad()
def one_matrix_product(w, b, X, y):
    """A column of ones beside X turns both formulas into one product."""
    y = y.unsqueeze(-1) if y.dim() == 1 else y
    A = torch.cat([X, torch.ones_like(X)], dim=1)
    theta = torch.stack([w.reshape(()), b.reshape(())]).unsqueeze(1)
    slopes = A.t() @ (A @ theta - y) * (2 / X.size(0))
    return slopes[0].view(w.shape), slopes[1].view(b.shape)


@alternative("line_gradients")
def printed_on_the_way(w, b, X, y):
    """Prints that were left in: PyTorch looks for tangents when it shows a tensor."""
    print(f"{w} {b}")
    with torch.no_grad():
        r = w * X.reshape(-1) + b - y.reshape(-1)
        print(r)
        return (2 * r * X.reshape(-1)).mean().reshape(w.shape), (2 * r).mean().reshape(b.shape)

squares_the_residual = mistake.edited("2 * residual * X", "2 * residual ** 2 * X",
    "dw contains the squared residual: the derivative of r squared is 2 r, and r stays without a square.",
    about="dw_is_the_mean_of_its_slopes")

squares_the_residual_for_b = mistake.edited("(2 * residual).mean()", "(2 * residual ** 2).mean()",
    "db contains the squared residual: the derivative of r squared is 2 r, and r stays without a square.",
    about="db_is_the_mean_of_its_slopes")

squares_both = mistake.edited("2 * residual * X", "2 * residual ** 2 * X",
    "Your gradients contain the squared residual: the derivative of r squared is 2 r, and r stays without a square.",
    also=[("(2 * residual).mean()", "(2 * residual ** 2).mean()")],
    about=("dw_is_the_mean_of_its_slopes", "db_is_the_mean_of_its_slopes"))

is_the_loss = mistake.edited("(2 * residual).mean()", "(residual ** 2).mean()",
    "db is the loss itself: take its derivative, the mean of 2 * (prediction - target).",
    about="db_is_the_mean_of_its_slopes")
