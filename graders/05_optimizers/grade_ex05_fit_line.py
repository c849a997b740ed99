"""Hidden checks for fit_line."""

import torch

from torchdojo.grading import check, tensor, watched

CONCEPTS = ("G23", "H02", "H03", "H05", "H06", "H08", "I16")

FORBIDS = {"Optimizer.*": "an optimizer from torch.optim", "aten._fused_sgd*": "an optimizer from torch.optim"}
PARTS = {"aten.*_loss*": "a loss from torch.nn", "aten.linear": "torch.nn.functional.linear"}
BECAUSE = "write every part of the loop yourself"
KEPT = {
    name: "it is a part of the task by itself; what breaks it breaks checks with a narrower title too"
    for name in (
        "first_step_has_the_right_direction", "first_step_follows_the_gradients", "follows_gradient_descent", "history_holds_the_losses",
        "works_on_copies",
    )
} | {"every_part_is_your_own": "it says in words what is forbidden; torch.optim costs all checks, a layer or a loss this one"}


class oracle:
    """PyTorch's own loss and optimizer."""

    def fit_line(X, y, w0, b0, lr, epochs):
        w, b = (t.detach().clone().requires_grad_() for t in (w0, b0))
        optimizer = torch.optim.SGD([w, b], lr=lr)
        history = []
        for _ in range(epochs):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(X * w + b, y)
            loss.backward()
            history.append(float(loss.detach()))
            optimizer.step()
        return w.detach(), b.detach(), history


# points on the line that the fit starts at: every loss is 0, and there are as many as epochs all the same
ON_THE_LINE = {
    "X": torch.tensor([[1.0], [2.0]], dtype=torch.float64), "y": torch.tensor([[3.0], [5.0]], dtype=torch.float64),
    "w0": torch.tensor([2.0], dtype=torch.float64), "b0": torch.tensor([1.0], dtype=torch.float64), "lr": 0.05, "epochs": 3,
}  # fmt: skip
RISING = ON_THE_LINE | {"b0": torch.tensor([2.0], dtype=torch.float64), "lr": 1.0}  # with steps that are too long the loss grows
PLAIN = {
    "X": tensor("n 1", layouts=False), "y": tensor("n 1", layouts=False), "w0": tensor((1,)), "b0": tensor((1,)),
    "minimum": 2, "dtypes": ("float64",), "mutates": ("X", "y", "w0", "b0"),
}  # fmt: skip


def fit(solution, X, y, w0, b0, lr, epochs):
    """w and b, on copies of the start: a fit that trains its caller's tensors is tested by another check."""
    w, b, _ = solution.fit_line(X, y, w0.detach().clone(), b0.detach().clone(), lr, epochs)
    return {"w": w.detach().clone(), "b": b.detach().clone()}


@check(points=1, **PLAIN, lr=[0.05, 0.01, 0.5])
def first_step_follows_the_gradients(solution, X, y, w0, b0, lr):
    """After one epoch, w and b have moved against their gradients."""
    return fit(solution, X, y, w0, b0, lr, 1)


@check(points=3, **PLAIN, epochs=[2, 7, 20], lr=[0.05, 0.01])
def follows_gradient_descent(solution, X, y, w0, b0, lr, epochs):
    """After every epoch, w and b match gradient descent."""
    return fit(solution, X, y, w0, b0, lr, epochs)


@check(points=3, **PLAIN, epochs=[1, 2, 4])
def history_holds_the_losses(solution, X, y, w0, b0, epochs):
    """history has the loss of each epoch, before its step, as a Python float."""
    history = list(solution.fit_line(X, y, w0.clone(), b0.clone(), 0.01, epochs)[2])
    lines = [fit(solution, X, y, w0, b0, 0.01, done) for done in range(1, epochs)]  # whether these are right is for other checks
    losses = [((line["w"] * X + line["b"] - y) ** 2).mean().item() for line in lines]
    before = [bool(abs(given - loss) <= 1e-6 * (1 + loss)) for given, loss in zip(history[1:], losses, strict=False)]
    return {"history[0]": history[:1], "number of losses": len(history), "each later loss is that of w and b before the step": before}


@check(points=1, **PLAIN, far=[40.0, 60.0])
def first_step_has_the_right_direction(solution, X, y, w0, b0, far):
    """In the first step, w and b move in the right proportion."""
    after = fit(solution, X, y + far, w0, b0, 0.01, 1)
    return {"step of w divided by step of b": (after["w"] - w0) / (after["b"] - b0)}


@check(
    points=1, star=True, X=tensor("n 1"), y=tensor("n 1"), w0=tensor((1,)), b0=tensor((1,)), minimum=1, mutates=("w0", "b0"),
    shapes=[((), ()), ((1,), ()), ((), (1,)), ((1,), (1,))], beside=True,
)  # fmt: skip
def results_follow_the_starting_values(solution, X, y, w0, b0, shapes):
    """w and b have the shape and dtype of w0 and b0; one point is enough."""
    found = fit(solution, X, y, w0.reshape(shapes[0]), b0.reshape(shapes[1]), 0.02, 1)
    return found, {"dtypes": [t.dtype for t in found.values()]}


@check(points=1, star=True, **PLAIN | {"mutates": ()}, epochs=[0], lr=[0.05], examples=[ON_THE_LINE, RISING], beside=True)
def every_epoch_counts(solution, X, y, w0, b0, lr, epochs):
    """0 epochs return copies of w0 and b0, and []; training continues if the loss is 0 or grows."""
    usual = len(solution.fit_line(X, y, w0 + 1, b0.clone(), 0.01, epochs)[2])
    _, _, earlier = solution.fit_line(X, y, w0.clone(), b0.clone(), 0.05, 2)
    before = len(earlier)
    w, b, history = solution.fit_line(X, y, w0, b0, lr, epochs)
    facts = {"as many losses as usual": len(history) == usual, "the history of an earlier call changes": len(earlier) != before}
    return {"w": w, "b": b}, facts | ({} if epochs else {"length of history": len(history)})


@check(points=1, **PLAIN, epochs=[1], beside=True)
def works_on_copies(solution, X, y, w0, b0, epochs):
    """The caller's w0 and b0 keep their values."""
    w, b, _ = solution.fit_line(X, y, w0, b0, 0.05, epochs)
    return {"w and b": [w.detach().clone(), b.detach().clone()]}, {"w0 and b0 afterwards": [w0.detach().clone(), b0.detach().clone()]}


@check(points=1, star=True, **PLAIN | {"mutates": ()}, trained=[True, False], epochs=[1, 0], beside=True)
def trained_starts_stay(solution, X, y, w0, b0, trained, epochs):
    """w0 and b0 may require grad and have an old .grad; they do not change."""
    start = [t.clone().requires_grad_() for t in (w0, b0)]
    for t in start:
        t.grad = torch.full_like(t, 5.0)
        t.requires_grad_(trained)
    w, b, _ = solution.fit_line(X, y, *start, 0.05, epochs)
    return {"w and b": [w.detach().clone(), b.detach().clone()]}, {
        "w0 and b0 afterwards": [t.detach() for t in start],
        "requires_grad of w0 and b0": [t.requires_grad for t in start],
        "old .grad of w0 and b0": [t.grad for t in start],
    }


@check(points=1, star=True, **PLAIN, epochs=[1, 0], trained=[False, True], beside=True)
def results_have_no_graph(solution, X, y, w0, b0, epochs, trained):
    """w and b do not require grad."""
    start = [t.clone().requires_grad_(trained) for t in (w0, b0)]
    w, b, _ = solution.fit_line(X, y, *start, 0.05, epochs)
    return {"w": w.detach().clone(), "b": b.detach().clone()}, {"requires_grad of w and b": [w.requires_grad, b.requires_grad]}


@check(points=1, **PLAIN, lr=[0.05, 0.01], forbids=PARTS)
def every_part_is_your_own(solution, X, y, w0, b0, lr):
    """Loss, prediction and step are written out, without torch.optim and torch.nn."""
    parts = ("torch.optim.*", "torch.nn.functional.*", "torch.nn.modules.loss.*", "torch.nn.modules.linear.*")
    found = watched(lambda: fit(solution, X, y, w0, b0, lr, 1), *parts)
    return found.answer, found.called[:1]


@every_part_is_your_own.rule
def _(used):
    return f"you used {used[0]}; write every part of the loop yourself" if used else None
