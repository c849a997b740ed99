"""Known mistakes and odd-but-correct solutions for fit_line."""

import copy

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_operands: loss = ((y - (w * X + b)) ** 2).mean()": "the square of the error is the same with the other sign",
    "swap_statements: loss.backward()": "backward does not change the loss",
    "swap_statements: b -= lr * b.grad": "w and b move by gradients that are known already, in any order",
}

HINTS = (
    "Five things happen in every epoch: predict, loss, gradients, step, clear. Which one is missing, or out "
    "of order?",
    "Start from copies of w0 and b0 that require grad. Append the loss as a plain number before the step. The "
    "step is taken under no_grad and in place.",
    "Copy and detach the two starting values and let the copies require grad. In the loop: predict, mean of "
    "squares, append its item(), backward, move both copies in place under no_grad, and clear both gradients.",
)


def _start(w0, b0):
    return w0.detach().clone().requires_grad_(), b0.detach().clone().requires_grad_()


def _step(w, b, lr):
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad


@mistake("fit_line", common=True)
def never_clears(X, y, w0, b0, lr, epochs):
    """The gradients were never cleared: backward adds to .grad,
    so every step used the sum of all gradients so far.
    """
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        _step(w, b, lr)
    return w.detach(), b.detach(), history


@mistake("fit_line")
def clears_only_w(X, y, w0, b0, lr, epochs):
    """One gradient was never cleared: w starts fresh in every epoch,
    but b steps with the sum of its gradients.
    """
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        _step(w, b, lr)
        w.grad = None
    return w.detach(), b.detach(), history


@mistake("fit_line")
def clears_before_the_step(X, y, w0, b0, lr, epochs):
    """The gradients were cleared between backward and the step, so nothing moved:
    clear after the step.
    """
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        w.grad.zero_()
        b.grad.zero_()
        _step(w, b, lr)
    return w.detach(), b.detach(), history


@mistake("fit_line")
def loss_after_the_step(X, y, w0, b0, lr, epochs):
    """history is one step late: record the loss before the step, history[0] belongs to w0 and b0."""
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        ((w * X + b - y) ** 2).mean().backward()
        _step(w, b, lr)
        w.grad = b.grad = None
        history.append(((w * X + b - y) ** 2).mean().item())
    return w.detach(), b.detach(), history


@mistake("fit_line")
def keeps_loss_tensors(X, y, w0, b0, lr, epochs):
    """history holds tensors, each with its graph: append loss.item(),
    a plain number.
    """
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss)
        loss.backward()
        _step(w, b, lr)
        w.grad = b.grad = None
    return w.detach(), b.detach(), history


@mistake("fit_line")
def trains_the_callers_tensors(X, y, w0, b0, lr, epochs):
    """The caller's w0 and b0 were trained: work on copies, w0.detach().clone(),
    and leave the originals alone.
    """
    w, b = w0.requires_grad_(), b0.requires_grad_()
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        _step(w, b, lr)
        w.grad = b.grad = None
    return w.detach(), b.detach(), history


@mistake("fit_line")
def shares_memory_with_the_start(X, y, w0, b0, lr, epochs):
    """detach() is not a copy: it shares memory with w0,
    so the steps moved the caller's tensor. Add clone().
    """
    w, b = w0.detach().requires_grad_(), b0.detach().requires_grad_()
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        _step(w, b, lr)
        w.grad = b.grad = None
    return w.detach(), b.detach(), history


@mistake("fit_line")
def differentiates_a_sum_beside_a_mean(X, y, w0, b0, lr, epochs):
    """The loss is a sum, n times the mean, so the steps are n times too long:
    take the mean of the squares.
    """
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        squares = (w * X + b - y) ** 2
        history.append(squares.mean().item())
        squares.sum().backward()
        _step(w, b, lr)
        w.grad = b.grad = None
    return w.detach(), b.detach(), history


@mistake("fit_line")
def returns_the_start_itself(X, y, w0, b0, lr, epochs):
    """With 0 epochs the caller gets w0's own memory back: return a copy, also when no step is taken."""
    w, b = w0.detach(), b0.detach()
    history = []
    for _ in range(epochs):
        r = w * X + b - y
        history.append((r**2).mean().item())
        w, b = w - lr * (2 * r * X).mean(), b - lr * (2 * r).mean()
    return w, b, history


@mistake("fit_line")
def updates_with_the_graph(X, y, w0, b0, lr, epochs):
    """w = w - lr * w.grad made a w that is part of the graph and not a leaf, so it gets no .grad: step in place
    under torch.no_grad()."""
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        w = w - lr * w.grad
        b = b - lr * b.grad
    return w.detach(), b.detach(), history


@mistake("fit_line")
def returns_trainable_tensors(X, y, w0, b0, lr, epochs):
    """The results still require grad: return w.detach() and b.detach()."""
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        _step(w, b, lr)
        w.grad = b.grad = None
    return w, b, history


@mistake("fit_line")
def sums_the_errors(X, y, w0, b0, lr, epochs):
    """The loss is a sum, n times the mean, so the steps are n times too long:
    take the mean of the squares.
    """
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).sum()
        history.append(loss.item())
        loss.backward()
        _step(w, b, lr)
        w.grad = b.grad = None
    return w.detach(), b.detach(), history


@mistake("fit_line")
@torch.no_grad()
def flattens_the_inputs(X, y, w0, b0, lr, epochs):
    """Predictions and targets have different shapes, (n,) and (n, 1), which gives a matrix of all pairs: leave both at (n, 1)."""
    w, b, history = w0.clone(), b0.clone(), []
    x = X.reshape(-1)
    for _ in range(epochs):
        r = w * x + b - y
        history.append((r**2).mean().item())
        w -= lr * 2 * (r * x).mean()
        b -= lr * 2 * r.mean()
    return w, b, history


@mistake("fit_line")
@torch.no_grad()
def forgets_the_factor_two(X, y, w0, b0, lr, epochs):
    """The steps are half as long as they should be: the derivative of a square is 2 times the error, so a factor 2 is missing."""
    w, b, history = w0.clone(), b0.clone(), []
    for _ in range(epochs):
        r = w * X + b - y
        history.append((r**2).mean().item())
        w -= lr * (r * X).mean()
        b -= lr * r.mean()
    return w, b, history


@mistake("fit_line")
def takes_absolute_errors(X, y, w0, b0, lr, epochs):
    """The loss is the mean of the absolute errors:
    square the errors before you take the mean.
    """
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        loss = (w * X + b - y).abs().mean()
        history.append(loss.item())
        loss.backward()
        _step(w, b, lr)
        w.grad = b.grad = None
    return w.detach(), b.detach(), history


@mistake("fit_line")
def b_sees_the_new_w(X, y, w0, b0, lr, epochs):
    """b was moved with a gradient that already knew the new w: take both gradients first, then move both."""
    w, b = w0.detach().clone(), b0.detach().clone()
    history = []
    for _ in range(epochs):
        r = w * X + b - y
        history.append((r**2).mean().item())
        w = w - lr * (2 * r * X).mean()
        b = b - lr * (2 * (w * X + b - y)).mean()
    return w, b, history


@mistake("fit_line")
def clears_the_callers_gradients(X, y, w0, b0, lr, epochs):
    """The old .grad of w0 and b0 was cleared: they belong to the caller, your copies have gradients of their own."""
    w0.grad = b0.grad = None
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        _step(w, b, lr)
        w.grad = b.grad = None
    return w.detach(), b.detach(), history


@mistake("fit_line")
def starts_with_the_old_gradient(X, y, w0, b0, lr, epochs):
    """The old .grad of w0 and b0 came along (copy.deepcopy copies it too) and was added to the first gradient: start from
    w0.detach().clone(), which has none."""
    w, b = (copy.deepcopy(t).requires_grad_() for t in (w0, b0))
    history = []
    for _ in range(epochs):
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        _step(w, b, lr)
        w.grad = b.grad = None
    return w.detach(), b.detach(), history


@mistake("fit_line")
@torch.no_grad()
def always_returns_one_element_vectors(X, y, w0, b0, lr, epochs):
    """The results have shape (1,) although w0 or b0 is 0-dim: give w the shape of w0, and b that of b0."""
    w, b, history = w0.clone().reshape(1), b0.clone().reshape(1), []
    for _ in range(epochs):
        r = w * X + b - y
        history.append((r**2).mean().item())
        w -= lr * 2 * (r * X).mean()
        b -= lr * 2 * r.mean()
    return w, b, history


@mistake("fit_line")
def calls_a_loss_of_torch(X, y, w0, b0, lr, epochs):
    """torch.nn computed the loss: write it yourself, the mean of the squared errors."""
    w, b = _start(w0, b0)
    history = []
    for _ in range(epochs):
        loss = torch.nn.functional.mse_loss(w * X + b, y)
        history.append(loss.item())
        loss.backward()
        _step(w, b, lr)
        w.grad = b.grad = None
    return w.detach(), b.detach(), history


@mistake("fit_line")
@torch.no_grad()
def stops_early(X, y, w0, b0, lr, epochs):
    """The loop ended early, when the loss was close to 0: history has one loss for each epoch, small ones too."""
    w, b, history = w0.clone(), b0.clone(), []
    for _ in range(epochs):
        error = w * X + b - y
        history.append((error**2).mean().item())
        if history[-1] < 1e-10:
            break
        w, b = w - lr * 2 * (error * X).mean(), b - lr * 2 * error.mean()
    return w, b, history


@mistake("fit_line")
@torch.no_grad()
def takes_one_point_at_a_time(X, y, w0, b0, lr, epochs):
    """Every point moved w and b separately: an epoch is one step, with the mean over all points."""
    w, b, history = w0.clone(), b0.clone(), []
    for _ in range(epochs):
        history.append(((w * X + b - y) ** 2).mean().item())
        for x, target in zip(X.reshape(-1), y.reshape(-1), strict=True):
            r = w * x + b.reshape(w.shape) - target
            w -= lr * 2 * r * x
            b -= lr * 2 * r.reshape(b.shape)
    return w, b, history


@mistake("fit_line")
@torch.no_grad()
def returns_the_best(X, y, w0, b0, lr, epochs):
    """The result is the line with the lowest loss: return the line after the last epoch, even if the loss went up."""
    w, b, history = w0.clone(), b0.clone(), []
    best = (float("inf"), w, b)
    for _ in range(epochs):
        error = w * X + b - y
        history.append((error**2).mean().item())
        w, b = w - lr * 2 * (error * X).mean(), b - lr * 2 * error.mean()
        best = min(best, (((w * X + b - y) ** 2).mean().item(), w, b), key=lambda found: found[0])
    return *best[1:], history


@mistake("fit_line")
def keeps_history_in_a_default(X, y, w0, b0, lr, epochs, history=[]):  # noqa: B006
    """A default value such as `history=[]` is made once and shared by all calls, so a later call changes the list of an
    earlier one: make the list inside of the function."""
    history.clear()
    w, b = _start(w0, b0)
    for _ in range(epochs):
        w.grad = b.grad = None
        loss = ((w * X + b - y) ** 2).mean()
        loss.backward()
        history.append(loss.item())
        _step(w, b, lr)
    return w.detach(), b.detach(), history


@alternative("fit_line")
@torch.no_grad()
def formulas_without_autograd(X, y, w0, b0, lr, epochs):
    """The two gradients by hand; no graph is ever built."""
    w, b, history = w0.clone(), b0.clone(), []
    while len(history) < epochs:
        r = w * X + b - y
        history.append(float((r * r).mean()))
        w -= lr * 2 * (r * X).mean()
        b -= lr * 2 * r.mean()
    return w, b, history


@alternative("fit_line")
def asks_autograd_grad(X, y, w0, b0, lr, epochs):
    """torch.autograd.grad returns the gradients, so there is nothing to clear."""
    w, b = w0.detach().clone(), b0.detach().clone()
    history = []
    for _ in range(epochs):
        w, b = w.requires_grad_(), b.requires_grad_()
        loss = torch.mean((torch.mul(X, w) + b - y).pow(2))
        dw, db = torch.autograd.grad(loss, (w, b))
        w, b = w.detach() - lr * dw, b.detach() - lr * db
        history.append(loss.tolist())
    return w, b, history


@alternative("fit_line")
def clears_first_and_uses_data(X, y, w0, b0, lr, epochs):
    """Clears at the start of each epoch and moves through .data."""
    w, b = w0.data.clone(), b0.data.clone()
    params = [p.requires_grad_(True) for p in (w, b)]
    history = [0.0] * epochs
    for epoch in range(epochs):
        for p in params:
            if p.grad is not None:
                p.grad.zero_()
        loss = ((X * w + b - y) ** 2).sum() / X.shape[0]
        loss.backward()
        history[epoch] = loss.item()
        for p in params:
            p.data -= lr * p.grad
    return w.data, b.data, history
