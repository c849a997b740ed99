"""Known mistakes and unusual but correct solutions for fit_line."""

import copy  # noqa: F401 (for an edit)

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


never_clears = mistake.edited("w.grad = b.grad = None", "",
    "Every step used the sum of all gradients so far: backward adds to .grad, so clear both gradients in every epoch.",
    common=True,
    pitfall="backward() adds to .grad")

clears_only_w = mistake.edited("w.grad = b.grad = None", "w.grad = None",
    "b steps with the sum of all its gradients so far, and w with a fresh one: clear both gradients in every epoch.")

clears_before_the_step = mistake.edited("loss.backward()",
    """
    loss.backward()
    w.grad.zero_()
    b.grad.zero_()
    """,
    "w and b never move. If you clear the gradients between backward and the step, the step is 0: clear after it, and "
    "change w and b themselves.",
    about="first_step_follows_the_gradients")

loss_after_the_step = mistake.edited("history.append(loss.item())", "",
    "history is one step late: record the loss before the step, so that history[0] belongs to w0 and b0.",
    also=[("w.grad = b.grad = None", "w.grad = b.grad = None\nhistory.append(((w * X + b - y) ** 2).mean().item())")])

keeps_loss_tensors = mistake.edited("loss.item()", "loss",
    "history holds tensors: append loss.item(), a plain number.")

trains_the_callers_tensors = mistake.edited("w0.detach().clone()", "w0",
    "The caller's w0 and b0 were trained: work on copies, w0.detach().clone(), and leave the originals alone.",
    also=[("b0.detach().clone()", "b0")],
    about=("works_on_copies", "trained_starts_stay", "every_epoch_counts"))

shares_memory_with_the_start = mistake.edited("w0.detach().clone()", "w0.detach()",
    "The steps moved the caller's w0 and b0. An assignment, detach() and .data copy nothing: start from w0.detach().clone(), "
    "and b likewise.",
    also=[("b0.detach().clone()", "b0.detach()")],
    about=("works_on_copies", "trained_starts_stay", "every_epoch_counts"))

differentiates_a_sum_beside_a_mean = mistake.edited("loss.backward()", "((w * X + b - y) ** 2).sum().backward()",
    "The steps are n times too long: take the gradient of the mean of the squares, not of their sum.",
    about="first_step_follows_the_gradients")

returns_the_start_itself = mistake.edited("return w.detach(), b.detach(), history",
    """
    if epochs == 0:
        return w0.detach(), b0.detach(), history
    return w.detach(), b.detach(), history
    """,
    "With 0 epochs the caller gets w0's own memory back: return a copy, even when no step is taken.")

updates_with_the_graph = mistake.edited(
    """
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
    w.grad = b.grad = None
    """,
    "w = w - lr * w.grad\nb = b - lr * b.grad",
    "Your step makes a new w that is part of the graph and not a leaf, so it gets no .grad: step in place under "
    "torch.no_grad().")

returns_trainable_tensors = mistake.edited("w.detach(), b.detach(), history", "w, b, history",
    "The results still require grad: return w.detach() and b.detach().")

sums_the_errors = mistake.edited(".mean()", ".sum()",
    "The loss is a sum, n times the mean, so the steps are n times too long: take the mean of the squares.",
    about=("first_step_follows_the_gradients", "history_holds_the_losses"))

flattens_the_inputs = mistake.edited("w * X + b - y", "w * X.reshape(-1) + b - y",
    "Predictions and targets differ in shape, (n,) against (n, 1), which gives a matrix of all pairs: leave both at (n, 1).",
    about=("first_step_follows_the_gradients", "history_holds_the_losses"))

forgets_the_factor_two = mistake.edited("w -= lr * w.grad", "w -= lr * w.grad / 2",
    "The steps are half as long as they should be: the derivative of a square is 2 times the error, so a factor 2 is missing.",
    also=[("b -= lr * b.grad", "b -= lr * b.grad / 2")],
    about="first_step_follows_the_gradients")

takes_absolute_errors = mistake.edited("((w * X + b - y) ** 2).mean()", "(w * X + b - y).abs().mean()",
    "The loss is the mean of the absolute errors: it must be the mean of the squared errors.",
    about=("first_step_follows_the_gradients", "history_holds_the_losses"))

b_sees_the_new_w = mistake.edited("b -= lr * b.grad", "b -= lr * (2 * (w * X + b - y)).mean()",
    "The gradient of b was computed with the new w: compute both gradients first, then move both.")

clears_the_callers_gradients = mistake.edited("history = []", "w0.grad = b0.grad = None\nhistory = []",
    "The old .grad of w0 and b0 was cleared, but it belongs to the caller: your copies have their own gradients.")

starts_with_the_old_gradient = mistake.edited("w0.detach().clone()", "copy.deepcopy(w0)",
    "The first step also uses the old .grad of w0 and b0, which copy.deepcopy copies, too: start from "
    "w0.detach().clone(), which has none.",
    also=[("b0.detach().clone()", "copy.deepcopy(b0)")])

always_returns_one_element_vectors = mistake.edited(
    "w.detach(), b.detach(), history", "w.detach().reshape(1), b.detach().reshape(1), history",
    "The results have shape (1,) although w0 or b0 is 0-dim: give w the shape of w0, and b that of b0.")

calls_a_loss_of_torch = mistake.edited("((w * X + b - y) ** 2).mean()", "torch.nn.functional.mse_loss(w * X + b, y)",
    "torch.nn computed the loss: write it yourself, the mean of the squared errors.", forbidden="losses of torch.nn")

calls_a_layer_of_torch = mistake.edited("w * X + b - y", "torch.nn.functional.linear(X, w.reshape(1, 1), b.reshape(1)) - y",
    "torch.nn computed the predictions: write them yourself, w * X + b.", forbidden="the layers")


@mistake("fit_line", forbidden="torch.optim")
def lets_an_optimizer_step(X, y, w0, b0, lr, epochs):
    """torch.optim took the steps: subtract lr times each gradient yourself."""
    w, b = (start.detach().clone().requires_grad_() for start in (w0, b0))
    optimizer = torch.optim.SGD([w, b], lr=lr)
    history = []
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = ((w * X + b - y) ** 2).mean()
        history.append(loss.item())
        loss.backward()
        optimizer.step()
    return w.detach(), b.detach(), history


stops_early = mistake.edited("history.append(loss.item())",
    """
    history.append(loss.item())
    if history[-1] < 1e-10:
        break
    """,
    "The fit ended early where the loss was 0: history has one loss for each epoch, however small it is.")


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


returns_the_best = mistake.edited("history = []", 'history = []\nbest = float("inf"), w.detach().clone(), b.detach().clone()',
    "The result is the line with the lowest loss: return the line after the last epoch, even if the loss went up.",
    also=[
        ("w.grad = b.grad = None",
        """
        w.grad = b.grad = None
        now = ((w * X + b - y) ** 2).mean().item(), w.detach().clone(), b.detach().clone()
        best = min(best, now, key=lambda found: found[0])
        """),
        ("return w.detach(), b.detach(), history", "return *best[1:], history"),
    ])

keeps_history_in_a_default = mistake.edited("epochs: int", "epochs: int, history=[]",
    "Two calls share one history list, as with a default value `history=[]`: make the list inside the function.",
    also=[("history = []", "history.clear()")])


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

walks_uphill = mistake.edited("w -= lr * w.grad", "w += lr * w.grad",
    "The steps go uphill, and the loss grows: subtract lr times the gradient.",
    also=[("b -= lr * b.grad", "b += lr * b.grad")],
    about="first_step_follows_the_gradients")

takes_the_root_of_the_mean = mistake.edited("((w * X + b - y) ** 2).mean()", "((w * X + b - y) ** 2).mean().sqrt()",
    "The loss is the square root of the mean: leave out the root.",
    about=("first_step_follows_the_gradients", "history_holds_the_losses"))

halves_the_loss = mistake.edited("((w * X + b - y) ** 2).mean()", "((w * X + b - y) ** 2).mean() / 2",
    "The loss is half of the mean, and so are the steps: leave out the factor 1/2.",
    about=("first_step_follows_the_gradients", "history_holds_the_losses"))

clears_only_b = mistake.edited("w.grad = b.grad = None", "b.grad = None",
    "w steps with the sum of all its gradients so far, and b with a fresh one: clear both gradients in every epoch.")

forgets_requires_grad = mistake.edited("w0.detach().clone().requires_grad_()", "w0.detach().clone()",
    "backward() finds no graph: call requires_grad_() on your copies, and compute the loss from them with grad mode on.",
    also=[("b0.detach().clone().requires_grad_()", "b0.detach().clone()")],
    about="first_step_follows_the_gradients")

forgets_requires_grad_of_plain_clones = mistake.edited("w0.detach().clone().requires_grad_()", "w0.clone()",
    "backward() finds no graph: call requires_grad_() on your copies, and compute the loss from them with grad mode on.",
    also=[("b0.detach().clone().requires_grad_()", "b0.clone()")],
    about="first_step_follows_the_gradients")

clones_without_detaching = mistake.edited("w0.detach().clone()", "w0.clone()",
    "If w0 requires grad, its clone is part of a graph and not a leaf, so it gets no .grad: detach before you clone.",
    also=[("b0.detach().clone()", "b0.clone()")])

makes_new_tensors_without_a_graph = mistake.edited("w -= lr * w.grad\nb -= lr * b.grad", "w = w - lr * w.grad\nb = b - lr * b.grad",
    "After the first step w and b don't require grad, so the next backward() finds no graph. One reason is w = w - ... under no_grad: change w in place, with -=.")

w_sees_the_new_b = mistake.edited("w -= lr * w.grad\nb -= lr * b.grad",
    "b -= lr * b.grad\nw -= lr * (2 * (w * X + b - y) * X).mean()",
    "The gradient of w was computed with the new b: compute both gradients first, then move both.")

keeps_the_last_loss_only = mistake.edited("history.append(loss.item())", "history[:] = [loss.item()]",
    "history has one entry only: append the loss in every epoch.")

moves_w_alone = mistake.edited("b -= lr * b.grad", "pass",
    "b never moves: subtract lr times its gradient, too.",
    about="first_step_follows_the_gradients")
