"""Hidden checks for td_loss, straight_through_round and center_with_fixed_mean."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("G18", "G19", "G20", "G21", "G25")
KEPT = {
    "td_loss_is_the_mean_squared_distance": "values are worth a point without the gradients",
}


class oracle:
    """The same numbers with gradients written by hand."""

    class OfTheGuess(torch.autograd.Function):
        @staticmethod
        def forward(ctx, v_now, gap):
            ctx.save_for_backward(gap)
            return (gap * gap).sum() / gap.numel()

        @staticmethod
        def backward(ctx, grad_output):
            (gap,) = ctx.saved_tensors
            return 2 * gap / gap.numel() * grad_output, None

    class PassedThrough(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, values):
            return values.clone()

        @staticmethod
        def backward(ctx, grad_output):
            return grad_output.clone(), None

    def td_loss(v_now, v_next, reward, gamma):
        return oracle.OfTheGuess.apply(v_now, (v_now - reward - gamma * v_next).detach())

    def straight_through_round(x):
        return oracle.PassedThrough.apply(x, torch.round(x.detach()))

    def center_with_fixed_mean(x):
        rows = x.detach().unbind()
        mean = sum(rows[1:], rows[0].clone()) / len(rows)
        return oracle.PassedThrough.apply(x, torch.stack([row - mean for row in rows]))


HALVES = (-1.5, -0.5, 0.5, 1.5, 2.5)
AWKWARD = torch.tensor([2.5, -1.5, 1.7, -1.7, 0.3, 1e6 + 0.5, 1.5 - 1e-12, -0.5 - 1e-12, 2.0**51 + 0.5, 1e20], dtype=torch.float64)


def gradient_of(x, y, g):
    """Whether y requires grad, whether x is in its graph, and the gradient along x; zeros where there is none."""
    (found,) = gradients(y, [x], g)
    reached = {"requires grad": y.requires_grad, "backward reaches x": found is not None}
    return reached | {"gradient": torch.zeros_like(x) if found is None else found}


def requires_grad(t):
    return getattr(t, "requires_grad", None)


@check(points=1, v_now=tensor("..."), v_next=tensor("..."), reward=tensor("..."), gamma=[0.5, 0.9, 0, 1.0], minimum=1)
def td_loss_is_the_mean_squared_distance(solution, v_now, v_next, reward, gamma):
    """td_loss is the mean squared distance from the target."""
    loss = solution.td_loss(v_now, v_next, reward, gamma)
    return {"loss": loss, "requires grad": requires_grad(loss)}


@check(
    points=2,
    v_now=tensor("..."),
    v_next=tensor("..."),
    reward=tensor("..."),
    gamma=[0.5, 0.9],
    learning=["v_now", "v_now v_next", "v_now reward", "v_now v_next reward", "v_next", "reward", "v_next reward"],
    state=["leaves with an old .grad", "results", "leaves"],
    minimum=1,
)
def td_loss_teaches_v_now_alone(solution, v_now, v_next, reward, gamma, learning, state, rng):
    """The gradient reaches v_now and nothing else."""
    inputs = {"v_now": v_now, "v_next": v_next, "reward": reward}
    for name in learning.split():
        inputs[name].requires_grad_()
        if "old" in state and name != "v_now":
            inputs[name].grad = torch.full_like(inputs[name], 3.0)
    with torch.enable_grad():
        given = [t.view_as(t) if state == "results" and t.requires_grad else t for t in inputs.values()]
        loss = solution.td_loss(*given, gamma)
    found = {"loss": loss, "requires grad": requires_grad(loss)}
    if loss.requires_grad:
        loss.backward(upstream(loss, rng))
    if v_now.requires_grad and v_now.grad is None:
        v_now.grad = torch.zeros_like(v_now)
    found |= {f"{name}.grad": t.grad for name, t in inputs.items()}
    return found | {f"{name}.requires_grad": t.requires_grad for name, t in zip(inputs, given, strict=True)}


@check(
    points=3,
    x=tensor("..."),
    numbers=["any", "halves"],
    layout=["contiguous", "expanded", "transposed"],
    learns=[True, False],
)
def round_passes_the_gradient_on(solution, x, numbers, layout, learns, rng):
    """The values are rounded, and the upstream gradient passes unchanged."""
    if numbers == "halves":
        x = torch.tensor(HALVES, dtype=x.dtype, device=x.device)
    g = upstream(x, rng, layout=layout)
    x.requires_grad_(learns)
    with torch.enable_grad():
        y = solution.straight_through_round(x)
    found = {"rounded": y} | gradient_of(x, y, g)
    return found | {"x.requires_grad": x.requires_grad, "upstream is unchanged": g._version == 0}


@check(points=1, star=True, number=AWKWARD.tolist())
def awkward_numbers_are_rounded_exactly(solution, number, device):
    """Large numbers, and numbers just below a half, are rounded exactly."""
    x = torch.tensor([number, 2.75], dtype=torch.float64, device=device)
    y = solution.straight_through_round(x)
    return {"rounded": y, "rounded, minus torch.round(x)": y - x.round()}  # a tolerance grows with the numbers


@check(
    points=2,
    x=tensor("batch features"),
    layout=["contiguous", "expanded", "transposed"],
    learns=[True, False],
    minimum={"batch": 1},
)
def centering_passes_the_gradient_on(solution, x, layout, learns, rng):
    """Each feature is centered, and the upstream gradient passes unchanged."""
    g = upstream(x, rng, layout=layout)
    x.requires_grad_(learns)
    with torch.enable_grad():
        y = solution.center_with_fixed_mean(x)
    found = {"centered": y} | gradient_of(x, y, g)
    return found | {"x.requires_grad": x.requires_grad, "upstream is unchanged": g._version == 0}
