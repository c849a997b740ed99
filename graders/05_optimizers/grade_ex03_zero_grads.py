"""Hidden checks for zero_grads."""

import math

import torch

from torchdojo.grading import check, tensor, upstream

CONCEPTS = ("G11",)
KEPT = {
    name: "one mode by itself, the task; the check of the old tensors sees both"
    for name in ("gradients_become_none", "gradients_are_filled_with_zeros")
}


class oracle:
    """The definition, a line for each sentence."""

    def zero_grads(params, *, set_to_none=True):
        for p in list(params):
            if p.grad is not None and not set_to_none:
                p.grad.copy_(torch.zeros_like(p.grad))
            if set_to_none:
                p.grad = None


def gradient(t, rng):
    """Positive numbers: they never add up to 0 by chance."""
    return upstream(t, rng).abs() + 1


def leaf(x, grad, requires_grad=True):
    p = x.clone().requires_grad_()
    p.grad = grad
    return p.requires_grad_(requires_grad)


def a_list(params):
    return list(params)


def a_generator(params):
    return (p for p in params)


def values_of_a_dict(params):
    return dict(enumerate(params)).values()


def cleared(params):
    """Is no gradient left? One that is None or holds only zeros is cleared in one of the two modes."""
    return [p.grad is None or not p.grad.any() for p in params]


@check(points=4, x=tensor("n", layouts=False), y=tensor("n m", layouts=False), minimum=1, mode=[{}, {"set_to_none": True}])
def gradients_become_none(solution, x, y, mode, rng):
    """By default every .grad becomes None."""
    params = [leaf(t, gradient(t, rng)) for t in (x, y)]
    solution.zero_grads(params, **mode)
    return {".grad": [p.grad for p in params]}


@check(points=4, x=tensor("n", layouts=False), y=tensor("n m", layouts=False), minimum=1)
def gradients_are_filled_with_zeros(solution, x, y, rng):
    """With set_to_none=False every .grad is a tensor of zeros."""
    params = [leaf(t, gradient(t, rng)) for t in (x, y)]
    solution.zero_grads(params, set_to_none=False)
    return {".grad": [p.grad for p in params]}


@check(points=1, x=tensor("n", layouts=False), y=tensor("n m", layouts=False), minimum=1, mode=[{}, {"set_to_none": False}])
def old_gradient_tensors_are_kept_or_filled(solution, x, y, mode, rng):
    """The old gradient tensor keeps its values; with set_to_none=False it is itself filled with zeros."""
    params = [leaf(t, gradient(t, rng)) for t in (x, y)]
    old = [p.grad for p in params]
    views = [grad.detach() for grad in old]
    solution.zero_grads(params, **mode)
    same = [p.grad is None or p.grad is grad for p, grad in zip(params, old, strict=True)]
    return {
        "cleared": cleared(params), "the tensors that were the gradients": old, "views of these tensors": views,
        ".grad is no new tensor": same,
    }  # fmt: skip


@check(points=1, star=True, x=tensor("n m"), odd=[None, math.nan, math.inf], minimum=1)
def any_gradient_is_filled(solution, x, odd):
    """A gradient is filled with zeros whatever its layout and its numbers."""
    wide = torch.stack([x, -x], dim=-1)
    grads = [torch.cat([x, -x]).t(), wide[..., 0], wide.transpose(0, 2)]
    grads = [torch.empty_strided(g.shape, g.stride(), dtype=g.dtype, device=g.device).copy_(g) for g in grads]  # no views
    for grad in grads:
        if odd is not None:
            grad[0] = odd
    params = [leaf(grad, grad) for grad in grads]
    solution.zero_grads(params, set_to_none=False)
    return {".grad": [p.grad.clone() for p in params]}


@check(points=3, x=tensor("n", layouts=False), y=tensor("n m", layouts=False), minimum=1, mode=[{}, {"set_to_none": False}])
def missing_gradients_stay_none(solution, x, y, mode, rng):
    """A .grad that is None stays None, in both modes; the others are cleared."""
    params = [leaf(x, None), leaf(y, gradient(y, rng)), leaf(x, None), leaf(x, gradient(x, rng))]
    solution.zero_grads(params, **mode)
    return {"missing .grad": [params[0].grad, params[2].grad], "cleared": cleared(params)}


@check(
    points=1, star=True, x=tensor((3,)), y=tensor((2, 3)), mode=[{}, {"set_to_none": False}],
    form=[a_list, a_generator, values_of_a_dict],
)  # fmt: skip
def takes_any_iterable(solution, x, y, mode, form, rng):
    """The parameters may come from any iterable, even one that yields its items only once."""
    params = [leaf(t, gradient(t, rng)) for t in (x, y)]
    solution.zero_grads(form(params), **mode)
    how = ", the parameters given by an iterator" * (form.__name__ == "a_generator")
    return {f"cleared{how}": cleared(params)}


@check(points=1, star=True, x=tensor("..."), y=tensor("..."), mode=[{}, {"set_to_none": False}], beside=True)
def parameters_are_not_touched(solution, x, y, mode, rng):
    """Frozen parameters are cleared, too; all keep their values, memory and requires_grad."""
    params = [leaf(x, gradient(x, rng)), leaf(y, gradient(y, rng), requires_grad=False)]
    views = [p.detach() for p in params]
    solution.zero_grads(params, **mode)
    return {"cleared": cleared(params), "values": [p.detach().clone() for p in params]}, {
        "values": [p.detach().clone() for p in params],
        "requires_grad": [p.requires_grad for p in params],
        "is_leaf": [p.is_leaf for p in params],
        "same memory": [p.data_ptr() == view.data_ptr() for p, view in zip(params, views, strict=True)],
    }
