"""Hidden checks for gradient_penalty."""

import torch

from torchdojo.grading import check, gradients, tensor, upstream

CONCEPTS = ("G09", "G15")
KEPT = {
    "averages_the_squared_lengths": "values are worth points without the gradients",
    "weights_can_be_trained_on_it": "the point of the exercise",
    "rows_may_have_any_shape": "more axes are a step of their own",
}


class oracle:
    """One row at a time, each with a graph of its own."""

    def gradient_penalty(critic, x):
        if not x.requires_grad:
            x = x.detach().clone().requires_grad_()
        scores = critic(x)
        found = []
        for number, score in enumerate(scores.reshape(-1)):
            grad = None
            if score.requires_grad:
                (grad,) = torch.autograd.grad(score, x, create_graph=True, allow_unused=True)
            found.append(0 * x[number].sum() if grad is None else (grad[number] ** 2).sum())
        return torch.stack(found).sum() / len(found)


def linear(x, w):
    return (x.reshape(len(x), -1) * w).sum(dim=1)


def squares(x, w):
    return (x.reshape(len(x), -1) ** 2 * w).sum(dim=1, keepdim=True)


def bent(x, w):
    return (x.reshape(len(x), -1) * w).sum(dim=1, keepdim=True) ** 3 / 64


def steep(x, w):
    """Its gradient is zero in no row."""
    heights = (x.reshape(len(x), -1) * w).sum(dim=1, keepdim=True)
    return heights + heights**3 / 64


def mixed(x, w):
    flat = (x.mT if x.dim() > 2 else x).reshape(len(x), -1)  # so that the gradient along x is not contiguous
    return (flat * w).sum(dim=1) * flat.sum(dim=1) / 8


def weight_only(x, w):
    return (w**2).sum() * torch.ones(len(x), dtype=x.dtype, device=x.device)


def no_history(x, w):
    return torch.ones(len(x), 1, dtype=x.dtype, device=x.device)


def bound(critic, w):
    """The critic with its weights, under its own name."""

    def score(x):
        return critic(x, w)

    score.__name__ = critic.__name__
    return score


def weight_for(x):
    """One weight per feature, with values that differ."""
    features = x.detach()[0].numel()
    return ((torch.arange(features, dtype=x.dtype, device=x.device) % 5 - 1) / 2).requires_grad_()


def learned(penalty, wanted, rng):
    """Whether the penalty requires grad, and its gradients along what is wanted by name; zeros for None. They are divided by the
    penalty, so that a wrong factor of the penalty costs the checks of its value alone."""
    found = gradients(penalty, wanted.values(), upstream(penalty, rng))
    found = [torch.zeros_like(x) if grad is None else grad / penalty.detach() for x, grad in zip(wanted.values(), found, strict=True)]
    return {"requires grad": penalty.requires_grad, "gradient divided by the penalty, of": dict(zip(wanted, found, strict=True))}


def in_state(x, state):
    """x as it came, as a leaf that requires grad, or as the result of an operation."""
    if state != "plain":
        x.requires_grad_()
    return x * 1 if state == "result" else x


KINDS = [linear, squares, steep]


@check(points=3, x=tensor("batch features"), critic=[*KINDS, mixed], minimum=1)
def averages_the_squared_lengths(solution, x, critic):
    """The penalty is the mean of the squared gradient norms of the rows."""
    w = weight_for(x)
    with torch.enable_grad():
        return {"penalty": solution.gradient_penalty(bound(critic, w), x.clone()).detach()}


@check(points=2, x=tensor("batch features", avoid=[0]), critic=KINDS, minimum=1, dtypes=("float64",))
def weights_can_be_trained_on_it(solution, x, critic, rng):
    """The gradients with respect to the critic's weights are those of the penalty."""
    w = weight_for(x)
    with torch.enable_grad():
        penalty = solution.gradient_penalty(bound(critic, w), x.clone())
    return learned(penalty, {"the weights": w}, rng)


@check(points=1, x=tensor("batch ..."), critic=[linear, mixed], minimum={"batch": 1, "...": 1}, dtypes=("float64",))
def rows_may_have_any_shape(solution, x, critic):
    """A row may have any number of axes, or none, and its gradient any layout."""
    w = weight_for(x)
    with torch.enable_grad():
        return {"penalty": solution.gradient_penalty(bound(critic, w), x.clone()).detach()}


@check(
    points=1,
    star=True,
    x=tensor("batch features", avoid=[0]),
    critic=[squares, steep],
    state=["leaf", "result"],
    minimum=1,
    dtypes=("float64",),
)
def the_maker_of_x_can_be_trained_on_it(solution, x, critic, state, rng):
    """Where x requires grad, the penalty's gradient reaches it."""
    w = weight_for(x)
    with torch.enable_grad():
        penalty = solution.gradient_penalty(bound(critic, w), in_state(x, state))
    return learned(penalty, {"x": x}, rng)


@check(points=1, star=True, batch=[3, 4], critic=[squares, bent, mixed])
def rows_without_slope_add_nothing(solution, batch, critic, rng, device):
    """A row whose gradient is zero adds 0 to the penalty and to its gradients."""
    x = torch.tensor([[0.0, 0.0], [2.0, -1.0], [0.0, 0.0], [0.5, 1.0]], dtype=torch.float64, device=device)[:batch]
    w = weight_for(x)
    with torch.enable_grad():
        penalty = solution.gradient_penalty(bound(critic, w), x)
    return learned(penalty, {"the weights": w}, rng)


@check(points=1, star=True, x=tensor("batch features"), critic=[weight_only, no_history], minimum=1, beside=True)
def critic_that_ignores_x(solution, x, critic):
    """A critic that does not use x has the penalty 0."""
    w = weight_for(x)
    with torch.enable_grad():
        penalties = [solution.gradient_penalty(bound(each, w), x.clone()) for each in (critic, linear)]
    return {"penalty of a linear critic": penalties[1].detach()}, {"penalty": penalties[0].detach()}


@check(points=1, star=True, x=tensor("batch features"), state=["leaf", "result", "plain"], old=[True, False], minimum=1, beside=True)
def calling_it_changes_no_gradient(solution, x, state, old):
    """The critic runs once; no .grad and no requires_grad changes."""
    w, calls = weight_for(x), []

    def critic(x):
        calls.append("critic")
        return linear(x, w)

    with torch.enable_grad():
        given = in_state(x, state)
        w.grad = torch.full_like(w, 5.0) if old else None
        x.grad = torch.full_like(x, 7.0) if old else None
        penalty = solution.gradient_penalty(critic, given)
    found = {"calls of the critic": len(calls), "weights.grad": w.grad, "x.grad": x.grad, "given x.grad": given.grad}
    return {"penalty": penalty.detach()}, found | {"x.requires_grad": given.requires_grad, "weights require grad": w.requires_grad}
