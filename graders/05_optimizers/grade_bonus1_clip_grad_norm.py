"""Hidden checks for clip_grad_norm_."""

import torch

from torchdojo.grading import Forbidden, check, tensor, upstream, watched

CONCEPTS = ("I03",)

KEPT = {
    name: "it is the task itself; what breaks it breaks checks with a narrower title too"
    for name in ("all_gradients_share_one_scale", "result_is_the_norm_from_before", "whoever_has_a_gradient_takes_part")
}


class oracle:
    """PyTorch's own function."""

    def clip_grad_norm_(params, max_norm):
        return torch.nn.utils.clip_grad_norm_(list(params), max_norm)


def leaf(x, grad):
    p = x.clone().requires_grad_()
    p.grad = grad
    return p


PLAIN = {"x": tensor("n", layouts=False), "y": tensor("n m", layouts=False), "minimum": 1}
# 1e-6 beside a norm of 1 and more, and digits of float64 that get lost: the check of the scale is about both (measured gap 8e-7)
ABOUT = (1e-5, 1e-6)


@check(points=5, **PLAIN, max_norm=[1.0, 0.5, 1], tolerance=ABOUT)
def all_gradients_share_one_scale(solution, x, y, max_norm, rng):
    """Large gradients are scaled together to the norm max_norm."""
    params = [leaf(t, upstream(t, rng) * 3) for t in (x, y, y)]
    solution.clip_grad_norm_(params, max_norm)
    return {"gradients": [p.grad for p in params]}


@check(points=3, **PLAIN, max_norm=[1.0, 500.0], tolerance=ABOUT)
def result_is_the_norm_from_before(solution, x, y, max_norm, rng):
    """The result is the norm before scaling: a 0-dim tensor without a graph."""
    norm = solution.clip_grad_norm_([leaf(t, upstream(t, rng)) for t in (x, y)], max_norm)
    return {"result": norm, "requires_grad of the result": getattr(norm, "requires_grad", None)}


@check(points=2, **PLAIN, factor=[1.25, 3.0, 100.0])
def short_gradients_keep_their_numbers(solution, x, y, factor, rng):
    """Small enough gradients keep their exact values; larger ones are scaled."""
    params, (long,) = [leaf(t, upstream(t, rng)) for t in (x, y)], [leaf(torch.ones_like(x), torch.full_like(x, 10.0))]
    before = [p.grad.clone() for p in params]
    length = torch.cat([grad.reshape(-1) for grad in before]).norm().item()
    solution.clip_grad_norm_(params, max(1.0, factor * length))
    solution.clip_grad_norm_([long], 1.0)
    exactly = [torch.equal(p.grad, old) for p, old in zip(params, before, strict=True)]
    return {"exactly the same numbers": exactly, "a long gradient became shorter": bool(long.grad.norm() < 2)}


@check(points=1, star=True, max_norm=[4 / 2**20, 4 / 2**23])
def tiny_gradients_are_scaled(solution, max_norm, device):
    """Tiny gradients are scaled too, and the 1e-6 in the scale matters."""
    parts = 4 / max_norm  # the norm is 5 / parts, a little more than max_norm
    gradient = torch.tensor([3.0, 4.0], dtype=torch.float64, device=device) / parts
    p = leaf(torch.zeros_like(gradient), gradient)
    return {"result": solution.clip_grad_norm_([p], max_norm), "gradient": p.grad}


@check(points=1, **PLAIN, tolerance=ABOUT, beside=True)
def same_gradient_tensors_and_parameters(solution, x, y, rng):
    """Every .grad stays the same tensor, and the parameters do not change."""
    params = [leaf(t, upstream(t, rng) * 3) for t in (x, y)]
    old, before = [p.grad for p in params], [p.detach().clone() for p in params]
    views = [grad.detach() for grad in old]
    solution.clip_grad_norm_(params, 0.5)
    return {"gradients": [p.grad for p in params], "parameters": [p.detach().clone() for p in params]}, {
        "parameters are unchanged": [torch.equal(p, was) for p, was in zip(params, before, strict=True)],
        "requires_grad": [p.requires_grad for p in params],
        ".grad is the same tensor": [p.grad is grad for p, grad in zip(params, old, strict=True)],
        "a view of .grad has the same numbers": [torch.equal(view, p.grad) for view, p in zip(views, params, strict=True)],
    }


@check(points=1, star=True, x=tensor("..."), y=tensor("n m"), tolerance=ABOUT, beside=True)
def takes_any_shape_and_layout(solution, x, y, rng):
    """Gradients may be non-contiguous, 0-dim or empty."""
    params = [leaf(y.t(), upstream(y, rng).t()), leaf(y, upstream(y, rng, layout="transposed")), leaf(x, upstream(x, rng))]
    solution.clip_grad_norm_(params, 0.125)
    return {"gradients": [p.grad for p in params]}, {}


@check(points=1, **PLAIN, tolerance=ABOUT, beside=True)
def whoever_has_a_gradient_takes_part(solution, x, y, rng):
    """A tensor without a gradient is skipped."""
    params = [leaf(x, None), leaf(x, upstream(x, rng)), leaf(y, upstream(y, rng)), leaf(y, None)]
    alone = [leaf(p.detach(), p.grad.clone()) for p in params[1:3]]
    solution.clip_grad_norm_(params, 0.125)
    solution.clip_grad_norm_(alone, 0.125)
    same = [torch.equal(p.grad, q.grad) for p, q in zip(params[1:3], alone, strict=True)]
    facts = {"missing .grad": [params[0].grad, params[3].grad], "the same as without those that have none": same}
    return {"gradients": [p.grad for p in params[1:3]]}, facts


@check(points=1, star=True, x=tensor((3,), layouts=False), y=tensor((2, 3), layouts=False), max_norm=[0.125, 0.25], tolerance=ABOUT, beside=True)
def takes_a_generator(solution, x, y, max_norm, rng):
    """params may be a generator, which yields its items only once."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    listed = [leaf(p.detach(), p.grad.clone()) for p in params]
    solution.clip_grad_norm_((p for p in params), max_norm)
    solution.clip_grad_norm_(listed, max_norm)
    same = [torch.equal(p.grad, q.grad) for p, q in zip(params, listed, strict=True)]
    return {"gradients of parameters given by an iterator": [p.grad for p in params]}, {"the same as with a list": same}


@check(points=1, star=True, x=tensor("n", layouts=False), minimum=1, tolerance=ABOUT)
def zeros_are_no_trouble(solution, x, rng):
    """max_norm = 0, gradients of zeros, and no gradients at all are handled."""
    zeros, longer = leaf(x, torch.zeros_like(x)), leaf(x, upstream(x, rng))
    found = {"result with only zeros": solution.clip_grad_norm_([zeros], 1.0), "gradient of zeros": zeros.grad}
    for what, params in (("no gradients", [leaf(x, None)]), ("an empty list", []), ("an empty generator", iter(()))):
        norm = solution.clip_grad_norm_(params, 1.0)
        found[f"result with {what}"] = norm.to(x.device) if isinstance(norm, torch.Tensor) else norm
    found["result with max_norm 0"] = solution.clip_grad_norm_([longer], 0.0)
    return found | {"gradient with max_norm 0": longer.grad}


@check(points=1, **PLAIN, max_norm=[0.125, 0.25], tolerance=ABOUT)
def scaling_is_your_own(solution, x, y, max_norm, rng):
    """Norm and scale are written out, without torch.nn.utils."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    found = watched(lambda: solution.clip_grad_norm_(params, max_norm), "torch.nn.utils.*")
    return {"gradients": [p.grad for p in params]}, found.called


@scaling_is_your_own.rule
def _(used):
    return Forbidden("you used torch.nn.utils; write out norm and scale yourself") if used else None
