"""Hidden checks for fit_line."""

import contextlib
import io

import torch

from torchdojo.grading import called, check, tensor

CONCEPTS = ("G23", "H02", "H03", "H05", "H06", "H08", "I16")

KEPT = {"follows_gradient_descent": "it is the task itself; what breaks it breaks checks with a narrower title too"}


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


def fit(solution, X, y, w0, b0, lr, epochs):
    w, b, history = solution.fit_line(X, y, w0, b0, lr, epochs)
    return {"w": w, "b": b, "history": history}


@check(
    points=3, X=tensor("n 1"), y=tensor("n 1"), w0=tensor((1,)), b0=tensor((1,)), epochs=[1, 2, 7, 20], lr=[0.05, 0.01, 0.5],
    minimum=1, dtypes=("float64",), examples=[ON_THE_LINE],
)  # fmt: skip
def follows_gradient_descent(solution, X, y, w0, b0, lr, epochs):
    """w, b and the losses are those of gradient descent, epoch by epoch."""
    return fit(solution, X, y, w0, b0, lr, epochs)


# history is made of Python numbers that come from float32 here: measured gap 4e-7 between right solutions
@check(
    points=1, X=tensor((5, 1)), y=tensor((5, 1)), w0=tensor((1,)), b0=tensor((1,)),
    shapes=[((), ()), ((1,), ()), ((), (1,)), ((1,), (1,))], dtypes=("float32", "float64"), tolerance=(1e-5, 1e-5),
)  # fmt: skip
def results_follow_the_starting_values(solution, X, y, w0, b0, shapes):
    """w and b have the shape and dtype of w0 and b0, and history Python floats."""
    return fit(solution, X, y, w0.reshape(shapes[0]), b0.reshape(shapes[1]), 0.02, 3)


@check(points=1, X=tensor("n 1"), y=tensor("n 1"), w0=tensor((1,)), b0=tensor((1,)), minimum=1)
def no_epochs_give_copies_of_the_start(solution, X, y, w0, b0):
    """With 0 epochs the result is a copy of w0, a copy of b0 and []."""
    _, _, earlier = solution.fit_line(X, y, w0, b0, 0.05, 2)
    return fit(solution, X, y, w0, b0, 0.05, 0) | {"history of an earlier call": earlier}


@check(
    points=1, X=tensor((5, 1)), y=tensor((5, 1)), w0=tensor((1,)), b0=tensor((1,)), trained=[True, False],
    epochs=[4, 0], dtypes=("float64",),
)  # fmt: skip
def old_gradients_do_not_matter(solution, X, y, w0, b0, trained, epochs):
    """w0 and b0 may require grad and carry an old .grad, which stays."""
    start = [t.clone().requires_grad_() for t in (w0, b0)]
    for t in start:
        t.grad = torch.full_like(t, 5.0)
        t.requires_grad_(trained)
    found = fit(solution, X, y, *start, 0.05, epochs)
    return {
        **found,
        "w0 and b0 afterwards": [t.detach() for t in start],
        "requires_grad of w0 and b0": [t.requires_grad for t in start],
        ".grad of w0 and b0 from before": [t.grad for t in start],
    }


@check(
    points=1, X=tensor((5, 1)), y=tensor((5, 1)), w0=tensor((1,)), b0=tensor((1,)), epochs=[3, 0], trained=[False, True],
)  # fmt: skip
def results_have_no_graph(solution, X, y, w0, b0, epochs, trained):
    """w and b do not require grad."""
    start = [t.clone().requires_grad_(trained) for t in (w0, b0)]
    w, b, _ = solution.fit_line(X, y, *start, 0.05, epochs)
    return {"requires_grad of w and b": [w.requires_grad, b.requires_grad]}


@check(points=1, X=tensor((4, 1)), y=tensor((4, 1)), w0=tensor((1,)), b0=tensor((1,)), dtypes=("float64",))
def works_in_silence(solution, X, y, w0, b0):
    """It prints nothing and draws no random numbers, also when the steps are too large."""
    before = torch.get_rng_state()
    with contextlib.redirect_stdout(io.StringIO()) as said:
        solution.fit_line(X, y, w0, b0, 0.01, 101)
        history = solution.fit_line(X + 1, y, w0, b0, 1e6, 60)[2]
    found = {"printed": said.getvalue()[:60], "random state unchanged": torch.equal(torch.get_rng_state(), before)}
    return {"losses where the steps are too large": len(history), **found}


@check(
    points=1, X=tensor((4, 1), layouts=False), y=tensor((4, 1), layouts=False), w0=tensor((1,)), b0=tensor((1,)),
    forbids={"aten.mse_loss": "a loss of torch.nn", "aten._fused_sgd_": "torch.optim"},
    because="the point is to write every part of the loop once",
)  # fmt: skip
def every_part_is_your_own(solution, X, y, w0, b0):
    """Loss, prediction and step are written out, without torch.optim and torch.nn."""
    parts = ("torch.optim.*", "torch.nn.functional.*", "torch.nn.modules.loss.*", "torch.nn.modules.linear.*")
    return called(lambda: solution.fit_line(X, y, w0, b0, 0.05, 2), *parts, "linear", "mse_loss")


@every_part_is_your_own.judge
def _(used):
    if used:
        return f"{used[0]} did a part of the work; the point is to write every part of the loop once"
