"""Hidden checks for zero_grads."""

import math

import torch

from torchdojo.grading import check, tensor, upstream

CONCEPTS = ("G11",)


class oracle:
    """The definition, a line for each sentence."""

    def zero_grads(params, *, set_to_none=True):
        for p in list(params):
            if p.grad is not None and not set_to_none:
                p.grad.copy_(torch.zeros_like(p.grad))
            if set_to_none:
                p.grad = None


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


def a_list_with_the_first_one_twice(params):
    return [params[0], *params]


def nothing(params):
    return params[:0]


def an_empty_generator(params):
    return iter(params[:0])


@check(points=2, x=tensor("..."), y=tensor("n m"), mode=[{}, {"set_to_none": True}])
def gradients_become_none(solution, x, y, mode, rng):
    """By default .grad becomes None, and the old gradient keeps its numbers."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    old = [p.grad for p in params]
    returned = solution.zero_grads(params, **mode)
    return {".grad": [p.grad for p in params], "the tensors that were the gradients": old, "returned": returned}


@check(points=2, x=tensor("..."), y=tensor("n m"))
def gradients_are_filled_with_zeros(solution, x, y, rng):
    """With set_to_none=False the same gradient tensors hold zeros."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    old = [p.grad for p in params]
    views = [grad.detach() for grad in old]
    returned = solution.zero_grads(params, set_to_none=False)
    return {
        ".grad": [p.grad for p in params],
        ".grad is the same tensor as before": [p.grad is grad for p, grad in zip(params, old, strict=True)],
        "a view of the old gradient": views,
        "returned": returned,
    }


@check(points=1, x=tensor("n m"), layout=["transposed", "strided"])
def gradients_of_any_layout_are_filled(solution, x, layout):
    """A gradient is filled with zeros whatever its layout and its numbers."""
    wide = torch.stack([x, -x], dim=-1)
    grads = [torch.cat([x, -x]).t()] if layout == "transposed" else [wide[..., 0], wide.transpose(0, 2)]
    grads = [torch.empty_strided(g.shape, g.stride(), dtype=g.dtype, device=g.device).copy_(g) for g in grads]  # no views
    params = [leaf(grad, grad) for grad in grads]
    solution.zero_grads(params, set_to_none=False)
    return {".grad": [p.grad.clone() for p in params]}


@check(points=1, x=tensor("n"), odd=[math.nan, math.inf], minimum=1)
def nan_and_inf_become_zero(solution, x, odd, rng):
    """A gradient that holds nan or inf is filled with zeros too."""
    p = leaf(x, upstream(x, rng))
    p.grad[0] = odd
    solution.zero_grads([p], set_to_none=False)
    return {".grad": p.grad}


@check(points=1, x=tensor("n"), y=tensor("..."), mode=[{}, {"set_to_none": False}])
def missing_gradients_stay_none(solution, x, y, mode, rng):
    """A .grad that is None stays None, in both modes."""
    params = [leaf(x, None), leaf(y, upstream(y, rng)), leaf(x, None)]
    solution.zero_grads(params, **mode)
    return {".grad": [p.grad for p in params]}


@check(
    points=1, x=tensor((3,)), y=tensor((2, 3)), mode=[{}, {"set_to_none": False}],
    form=[a_list, a_generator, values_of_a_dict, a_list_with_the_first_one_twice, nothing, an_empty_generator],
)  # fmt: skip
def takes_any_iterable(solution, x, y, mode, form, rng):
    """The parameters may come from any iterable, also one that can be walked once."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    solution.zero_grads(form(params), **mode)
    how = ", the parameters given by an iterator" * (form.__name__ == "a_generator")
    return {f".grad{how}": [p.grad for p in params]}


@check(points=1, x=tensor("n"), y=tensor("..."), mode=[{}, {"set_to_none": False}])
def frozen_tensors_are_cleared_too(solution, x, y, mode, rng):
    """An old .grad of a tensor with requires_grad False is cleared."""
    params = [leaf(x, upstream(x, rng), requires_grad=False), leaf(y, upstream(y, rng))]
    solution.zero_grads(params, **mode)
    return {".grad": [p.grad for p in params]}


@check(points=1, x=tensor("n"), y=tensor("..."), mode=[{}, {"set_to_none": False}])
def parameters_are_not_touched(solution, x, y, mode, rng):
    """The parameters keep their values, their memory and requires_grad."""
    params = [leaf(x, upstream(x, rng)), leaf(y, upstream(y, rng), requires_grad=False), leaf(y, None)]
    views = [p.detach() for p in params]
    solution.zero_grads(params, **mode)
    return {
        "values": [p.detach().clone() for p in params],
        "requires_grad": [p.requires_grad for p in params],
        "is_leaf": [p.is_leaf for p in params],
        "same memory": [p.data_ptr() == view.data_ptr() for p, view in zip(params, views, strict=True)],
    }
