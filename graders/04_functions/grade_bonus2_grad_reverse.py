"""Hidden checks for GradReverse and SignSTE: gradients that are not the derivative, on purpose."""

import torch

from torchdojo.grading import (
    Forbidden,
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
    "autograd.inside": ("autograd inside forward or backward", "write the derivative yourself"),
}
KEPT = {
    "sign_ste_is_written_by_hand": "the rule by itself, worth a point beside right values; FORBIDS lets the other checks see it too",
    "grad_reverse_is_written_by_hand": "the rule by itself, worth a point beside right values; FORBIDS lets the other checks see it too",
    "reverse_gives_x_as_it_is": "a right forward earns its points before backward is written",
    "reverse_sends_grad_back_times_minus_scale": "the gradient itself, worth points without further demands",
    "sign_has_two_values": "a right forward earns its points before backward is written",
    "sign_passes_grad_where_x_is_small": "the gradient itself, worth points without further demands",
}
SCALES = [0.5, -2, 3, 1.0, -0.25]


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


def matrix(**options):
    return tensor("n m", layouts=False, **options)


@check(points=1, x=matrix(), scale=SCALES, minimum=1, mutates=("x",), aliasing="any")
def reverse_gives_x_as_it_is(solution, x, scale):
    """GradReverse: the result has the numbers of x."""
    return solution.GradReverse.apply(x.requires_grad_(), scale)


@check(points=2, x=matrix(), scale=SCALES, minimum=1, mutates=("x",))
def reverse_sends_grad_back_times_minus_scale(solution, x, scale, rng):
    """GradReverse: the gradient is multiplied by -scale."""
    y = solution.GradReverse.apply(x.requires_grad_(), scale)
    return {"returned": raw_gradients(y, upstream(y, rng), [x, scale])}


@check(points=1, star=True, x=matrix(), scale=SCALES, minimum=1)
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


@check(points=1, star=True, x=tensor("...", step=0.1), scale=[0, 0.1, 0.0, -3], layout=["transposed", "expanded"], aliasing="any")
def reverse_takes_any_shape_layout_and_scale(solution, x, scale, layout, rng):
    """GradReverse: any shape, any layout and scale 0 work; it may be repeated, used twice, differentiated."""
    y = solution.GradReverse.apply(x.requires_grad_(), scale)
    inputs = [x, scale]
    seen = repeated_backward(y, inputs, rng, between=lambda: solution.GradReverse.apply(x, scale + 1))
    seen["returned for another layout"] = raw_gradients(y, upstream(y, rng, layout=layout), inputs)
    return {"result": y, **seen, "derivative with respect to grad": second_gradients(y, [x], rng, only_upstream=True)[0]}


def special(case):
    numbers = [0.0, -0.0, 1.0, -1.0, 1.125, -1.125, 0.5, -0.5, 3.0, -3.0]
    return torch.tensor(numbers, dtype=case.dtype, device="cpu")


@check(points=1, x=matrix(avoid=[0.0]), minimum=1, mutates=("x",))
def sign_has_two_values(solution, x):
    """SignSTE: the result is 1 or -1 everywhere."""
    return solution.SignSTE.apply(x.requires_grad_())


@check(points=2, x=matrix(low=-2, high=2, avoid=[0.0, 1.0, -1.0]), minimum=2, mutates=("x",))
def sign_passes_grad_where_x_is_small(solution, x, rng):
    """SignSTE: grad passes unchanged where x is from -1 to 1; elsewhere it is 0."""
    y = solution.SignSTE.apply(x.requires_grad_())
    return {"returned": raw_gradients(y, upstream(y, rng), [x])}


@check(points=3, x=built(special, axes="n"), mutates=("x",))
def sign_at_its_borders(solution, x, rng):
    """SignSTE: 0 counts as positive, and grad still passes at -1 and 1."""
    y = solution.SignSTE.apply(x.requires_grad_())
    return {"result": y, "returned": raw_gradients(y, upstream(y, rng), [x])}


@check(points=1, star=True, x=tensor("...", low=-2, high=2, avoid=[0.0, 1.0, -1.0]), layout=["transposed", "expanded"])
def sign_takes_any_shape_and_layout(solution, x, layout, rng):
    """SignSTE: any shape and layout work; it may be repeated and differentiated, and tensors edited."""
    apply = solution.SignSTE.apply
    y = apply(x.requires_grad_())
    seen = repeated_backward(y, [x], rng, between=lambda: apply(3 - x))
    return {
        "result": y,
        **seen,
        "returned for another layout": raw_gradients(y, upstream(y, rng, layout=layout), [x]),
        "derivative with respect to grad": second_gradients(y, [x], rng, only_upstream=True)[0],
        "returned after an edit of x": gradients_after_edit(apply, [x], 0, rng),
        "returned after an edit of the result": gradients_after_edit(apply, [x], None, rng),
    }


@check(points=0.5, x=matrix(), minimum=1, dtypes=("float64",))
def grad_reverse_is_written_by_hand(solution, x, rng):
    """GradReverse: forward and backward are your own, without autograd inside."""
    return autograd_inside(lambda: solution.GradReverse.apply(x.requires_grad_(), 0.5), [x, 0.5], rng)


@check(points=0.5, x=matrix(low=-2, high=2, avoid=[0.0, 1.0, -1.0]), minimum=1, dtypes=("float64",))
def sign_ste_is_written_by_hand(solution, x, rng):
    """SignSTE: forward and backward are your own, without autograd inside."""
    return autograd_inside(lambda: solution.SignSTE.apply(x.requires_grad_()), [x], rng)


@grad_reverse_is_written_by_hand.rule
@sign_ste_is_written_by_hand.rule
def _(seen):
    return Forbidden("; ".join(seen)) if seen else None
