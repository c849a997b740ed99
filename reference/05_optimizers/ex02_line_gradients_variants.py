"""Known mistakes and odd-but-correct solutions for line_gradients."""

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


def _column(X, y):
    return y.reshape(X.shape)


@mistake("line_gradients")
@torch.no_grad()
def sums_instead_of_averaging(w, b, X, y):
    """Your gradients are n times too large: the loss is a mean over the points,
    so its gradients are means too.
    """
    r = w * X + b - _column(X, y)
    return (2 * r * X).sum().reshape(w.shape), (2 * r).sum().reshape(b.shape)


@mistake("line_gradients")
@torch.no_grad()
def forgets_the_two(w, b, X, y):
    """Both gradients are half of what they should be: the derivative of r squared is 2 r."""
    r = w * X + b - _column(X, y)
    return (r * X).mean().reshape(w.shape), r.mean().reshape(b.shape)


@mistake("line_gradients")
@torch.no_grad()
def subtracts_a_row_from_a_column(w, b, X, y):
    """(n, 1) minus (n,) is an (n, n) matrix of every prediction against every target: make y a column first."""
    r = w * X + b - y
    return (2 * r * X).mean().reshape(w.shape), (2 * r).mean().reshape(b.shape)


@mistake("line_gradients")
@torch.no_grad()
def points_the_other_way(w, b, X, y):
    """Both gradients have the wrong sign: the residual is prediction minus target,
    not target minus prediction.
    """
    r = _column(X, y) - (w * X + b)
    return (2 * r * X).mean().reshape(w.shape), (2 * r).mean().reshape(b.shape)


@mistake("line_gradients")
@torch.no_grad()
def forgets_the_inner_derivative(w, b, X, y):
    """dw equals db: for w the chain rule also multiplies by X,
    the derivative of w * X + b with respect to w.
    """
    r = w * X + b - _column(X, y)
    slope = (2 * r).mean()
    return slope.reshape(w.shape), slope.reshape(b.shape)


@mistake("line_gradients")
@torch.no_grad()
def averages_before_multiplying(w, b, X, y):
    """The mean of a product is not the product of the means: multiply by X point by point, then average."""
    r = w * X + b - _column(X, y)
    return ((2 * r).mean() * X.mean()).reshape(w.shape), (2 * r).mean().reshape(b.shape)


@mistake("line_gradients")
@torch.no_grad()
def predicts_with_a_matrix_product(w, b, X, y):
    """X @ w has shape (n,) for a w of shape (1,), and minus targets of shape (n, 1) it is an (n, n) matrix: write w
    * X, or bring both to one shape."""
    r = X @ w + b - y if w.dim() else w * X + b - _column(X, y)
    return (2 * r * X).mean().reshape(w.shape), (2 * r).mean().reshape(b.shape)


@mistake("line_gradients")
def keeps_the_graph(w, b, X, y):
    """The results are still part of a graph when an input requires grad: compute under no_grad, or detach."""
    r = w * X + b - _column(X, y)
    return (2 * r * X).mean().reshape(w.shape), (2 * r).mean().reshape(b.shape)


@mistake("line_gradients")
@torch.no_grad()
def drops_the_shape(w, b, X, y):
    """The results are 0-dim although w and b have shape (1,):
    a gradient has the shape of what it belongs to.
    """
    r = w * X + b - _column(X, y)
    return (2 * r * X).mean(), (2 * r).mean()


@mistake("line_gradients")
@torch.enable_grad()
def lets_autograd_do_it(w, b, X, y):
    """backward() did the work and filled w.grad and b.grad: write the two formulas yourself."""
    w.requires_grad_()
    b.requires_grad_()
    ((w * X + b - _column(X, y)) ** 2).mean().backward()
    return w.grad.clone(), b.grad.clone()


@mistake("line_gradients")
def asks_autograd_quietly(w, b, X, y):
    """autograd computed the gradients, on copies of w and b: write the two formulas yourself."""
    with torch.enable_grad():
        copies = [t.detach().clone().requires_grad_() for t in (w, b)]
        loss = ((copies[0] * X + copies[1] - _column(X, y)) ** 2).mean()
        return torch.autograd.grad(loss, copies)


@mistake("line_gradients")
@torch.no_grad()
def adds_an_axis_to_a_column(w, b, X, y):
    """With y of shape (n, 1) the subtraction gave a matrix of every prediction and every target: bring X and y to
    one shape, whichever shape y has."""
    r = w * X + b - y.unsqueeze(-1)
    return (2 * r * X).mean().reshape(w.shape), (2 * r).mean().reshape(b.shape)


@mistake("line_gradients")
def leaves_recording_on(w, b, X, y):
    """Grad mode is on at the end, although the caller had turned it off: use `with torch.no_grad():`, which
    restores what was before."""
    torch.set_grad_enabled(False)
    r = w * X + b - _column(X, y)
    found = (2 * r * X).mean().reshape(w.shape), (2 * r).mean().reshape(b.shape)
    torch.set_grad_enabled(True)
    return found


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
