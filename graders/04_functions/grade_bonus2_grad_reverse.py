"""Hidden checks for GradReverse and SignSTE: gradients that are not the derivative, on purpose."""

import torch

from torchdojo.grading import (
    autograd_inside,
    built,
    check,
    gradients_after_edit,
    raw_gradients,
    repeated_backward,
    second_gradients,
    tensor,
    upstream,
)

CONCEPTS = ("G30",)
FORBIDS = {
    "autograd.inside": ("autograd inside forward or backward", "the point is to write the derivative yourself"),
}
KEPT = {
    "reverse_gives_x_as_it_is": "a right forward earns its point before backward is written",
    "reverse_sends_grad_back_times_minus_scale": "every shape and layout of x; the other checks use matrices",
    "sign_has_two_values": "a right forward earns its point before backward is written",
    "sign_passes_grad_where_x_is_small": "every shape and layout of x; the borders are one vector",
}
SCALES = [0.5, -2, 0, 3, 1.0, 0.0, -0.25, 0.1]


class oracle:
    """PyTorch's own operations, joined so that value and slope come from different places."""

    class GradReverse:
        def apply(x, scale):
            return x.detach() - scale * (x - x.detach())

    class SignSTE:
        def apply(x):
            sign = torch.where(x.detach() >= 0, torch.ones_like(x), -torch.ones_like(x))
            passing = x.clamp(-1, 1)
            return sign + (passing - passing.detach())


@check(points=1, x=tensor("...", step=0.1), scale=SCALES, learn=[True, False])
def reverse_gives_x_as_it_is(solution, x, scale, learn):
    """GradReverse: the result is x, in memory of its own."""
    y = solution.GradReverse.apply(x.requires_grad_(learn), scale)
    return {"result": y, "result requires grad": y.requires_grad}


@check(points=2, x=tensor("..."), scale=SCALES)
def reverse_sends_grad_back_times_minus_scale(solution, x, scale, rng):
    """GradReverse: the gradient comes back times minus scale."""
    y = solution.GradReverse.apply(x.requires_grad_(), scale)
    solution.GradReverse.apply(x, scale + 1)  # another one in the same model, which has a scale of its own
    return {"returned": raw_gradients(y, upstream(y, rng), [x, scale])}


@check(points=1, x=tensor("n m", layouts=False), scale=SCALES, minimum=1)
def reversed_result_may_be_edited(solution, x, scale, rng):
    """GradReverse: an edit of the result or of x does no harm."""
    y = solution.GradReverse.apply(x.requires_grad_(), scale)
    y.mul_(3).add_(1)
    (through,) = torch.autograd.grad(y, x, upstream(y, rng))
    apply, inputs = solution.GradReverse.apply, [x, scale]
    return {
        "result after its edit": y,
        "gradient of x": through,
        "returned after an edit of x": gradients_after_edit(apply, inputs, 0, rng, may_refuse=False),
    }


@check(points=1, x=tensor("n m"), scale=SCALES, layout=["transposed", "expanded"], minimum=1)
def reverse_is_a_good_neighbour(solution, x, scale, layout, rng):
    """GradReverse: any layout of grad, repeated, differentiated."""
    y = solution.GradReverse.apply(x.requires_grad_(), scale)
    returned = raw_gradients(y, upstream(y, rng, layout=layout), [x, scale])
    seen = repeated_backward(y, [x, scale], rng)
    return {"returned": returned, **seen, "derivative by grad": second_gradients(y, [x], rng, only_upstream=True)[0]}


def special(case):
    numbers = [0.0, -0.0, 1.0, -1.0, 1.125, -1.125, 0.5, -0.5, float("inf"), float("-inf"), 3.0, -3.0]
    return torch.tensor(numbers, dtype=case.dtype, device="cpu")


@check(points=1, x=tensor("..."), learn=[True, False])
def sign_has_two_values(solution, x, learn):
    """SignSTE: the result is 1 or -1 everywhere."""
    y = solution.SignSTE.apply(x.requires_grad_(learn))
    return {"result": y, "result requires grad": y.requires_grad}


@check(points=2, x=built(special, axes="n"), examples=[{"x": torch.tensor(0.0)}])
def sign_at_its_borders(solution, x, rng):
    """SignSTE: 0 counts as positive, -1 and 1 still let grad through."""
    y = solution.SignSTE.apply(x.requires_grad_())
    return {"result": y, "returned": raw_gradients(y, upstream(y, rng), [x])}


@check(points=1, x=tensor("...", low=-2, high=2))
def sign_passes_grad_where_x_is_small(solution, x, rng):
    """SignSTE: grad passes unchanged where x is small, else it is 0."""
    y = solution.SignSTE.apply(x.requires_grad_())
    return {"returned": raw_gradients(y, upstream(y, rng), [x])}


@check(points=1, x=tensor("n m", low=-2, high=2), layout=["transposed", "expanded"], minimum=1)
def sign_is_a_good_neighbour(solution, x, layout, rng):
    """SignSTE: any layout of grad, repeated, differentiated, edited."""
    y = solution.SignSTE.apply(x.requires_grad_())
    returned = raw_gradients(y, upstream(y, rng, layout=layout), [x])
    seen = repeated_backward(y, [x], rng, between=lambda: solution.SignSTE.apply(3 - x))
    apply = solution.SignSTE.apply
    return {
        "returned": returned,
        **seen,
        "derivative by grad": second_gradients(y, [x], rng, only_upstream=True)[0],
        "returned after an edit of x": gradients_after_edit(apply, [x], 0, rng),
        "returned after an edit of the result": gradients_after_edit(apply, [x], None, rng),
    }


@check(points=0.5, x=tensor("n"), minimum=1, dtypes=("float64",))
def grad_reverse_is_written_by_hand(solution, x, rng):
    """GradReverse: forward and backward are your own, without autograd inside."""
    return autograd_inside(lambda: solution.GradReverse.apply(x.requires_grad_(), 0.5), [x, 0.5], rng)


@check(points=0.5, x=tensor("n"), minimum=1, dtypes=("float64",))
def sign_ste_is_written_by_hand(solution, x, rng):
    """SignSTE: forward and backward are your own, without autograd inside."""
    return autograd_inside(lambda: solution.SignSTE.apply(x.requires_grad_()), [x], rng)


@grad_reverse_is_written_by_hand.rule
@sign_ste_is_written_by_hand.rule
def _(seen):
    return "; ".join(seen) or None
