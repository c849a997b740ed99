"""Hidden checks for sgd_step_."""

import torch

from torchdojo.grading import Forbidden, check, tensor, upstream, watched

CONCEPTS = ("C02", "G23", "I09")

FORBIDS = {"Optimizer.*": "an optimizer from torch.optim", "aten._fused_sgd*": "an optimizer from torch.optim"}
BECAUSE = "write the step yourself; it is one line"
KEPT = {
    "moves_by_lr_times_the_gradient": "it is the task itself; what breaks it breaks checks with a narrower title too",
    "steps_grow_with_lr": "how long a step is, worth points where it goes another way",
    "step_is_your_own": "it says in words what is forbidden; FORBIDS costs the other checks that see torch.optim",
}


class oracle:
    """The new value is worked out first, and written over the old one."""

    def sgd_step_(params, lr):
        for p in list(params):
            if p.grad is not None:
                p.data.copy_(p.detach() - lr * p.grad)


def leaf(x, grad):
    p = x.clone(memory_format=torch.contiguous_format).requires_grad_()
    p.grad = grad
    return p


def values(params):
    return [p.detach().clone() for p in params]


def a_generator(params):
    return (p for p in params)


def step(solution, params, lr):
    """One step. A setting that it leaves changed is tested by another check."""
    with torch.enable_grad():
        return solution.sgd_step_(params, lr)


PLAIN = {"x": tensor("n", layouts=False), "y": tensor("n m", layouts=False), "minimum": 1}


@check(points=5, **PLAIN, lr=[0.1, 0.5, 1.0, 3])
def moves_by_lr_times_the_gradient(solution, x, y, lr, rng):
    """Every number of every parameter moves by -lr times its gradient."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    step(solution, params, lr)
    return {"parameters": values(params)}


@check(points=1, **PLAIN | {"dtypes": ("float64",)}, factor=[2.0, 3.0, 0.5])
def steps_grow_with_lr(solution, x, y, factor, rng):
    """Twice the lr makes the step of every parameter twice as long."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    others = [leaf(t, p.grad.clone()) for t, p in zip((x, y), params, strict=True)]
    step(solution, params, 0.25)
    step(solution, others, 0.25 * factor)
    moved, far = ([(p.detach() - t).norm() for p, t in zip(tensors, (x, y), strict=True)] for tensors in (params, others))
    return {f"how many times as long with {factor:g} times the lr": [b / a for a, b in zip(moved, far, strict=True)]}


@check(points=2, **PLAIN, lr=[0.1, 0.5], beside=True)
def parameters_stay_the_same_tensors(solution, x, y, lr, rng):
    """A parameter keeps its memory and requires_grad, and stays a leaf."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    views = [p.detach() for p in params]
    step(solution, params, lr)
    return {"parameters": values(views)}, {
        "a view has the same numbers": [torch.equal(view, p) for view, p in zip(views, params, strict=True)],
        "requires_grad": [p.requires_grad for p in params],
        "is_leaf": [p.is_leaf for p in params],
        "has a grad_fn": [p.grad_fn is not None for p in params],
    }


@check(points=1, **PLAIN, lr=[0.1, 0.5], beside=True)
def gradients_are_left_alone(solution, x, y, lr, rng):
    """Each .grad stays the same tensor with the same numbers."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    old = [p.grad for p in params]
    copies = [grad.clone() for grad in old]
    step(solution, params, lr)
    return {"parameters": values(params)}, {
        "exactly the same numbers": [torch.equal(grad, copy) for grad, copy in zip(old, copies, strict=True)],
        ".grad is the same tensor": [p.grad is grad for p, grad in zip(params, old, strict=True)],
        "requires_grad of .grad": [grad.requires_grad for grad in old],
    }


@check(points=1, **PLAIN, beside=True)
def only_a_missing_gradient_is_skipped(solution, x, y, rng):
    """A parameter without a gradient does not change; the ones after it do."""
    params = [leaf(x, None), leaf(y, upstream(y, rng)), leaf(y, None)]
    step(solution, params, 0.5)
    after = values(params)
    facts = {"parameters without a gradient": [after[0], after[2]], "missing .grad": [params[0].grad, params[2].grad]}
    return {"parameter with a gradient": after[1]}, facts | {"it has changed": not torch.equal(after[1], y)}


@check(points=1, star=True, x=tensor((3,)), y=tensor((2, 3)), form=[a_generator], beside=True)
def takes_any_iterable(solution, x, y, form, rng):
    """The parameters may come from a generator."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    listed = [leaf(p.detach(), p.grad.clone()) for p in params]
    step(solution, form(params), 0.25)
    step(solution, listed, 0.25)
    same = [torch.equal(p, q) for p, q in zip(params, listed, strict=True)]
    return {"parameters given by an iterator": values(params)}, {"the same as with a list": same}


@check(points=1, star=True, x=tensor((2, 3)), y=tensor((3,)), recording=[True, False], beside=True)
def recording_stays_as_it_was(solution, x, y, recording, rng):
    """The step works with grad mode on or off, and does not change it."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    with torch.set_grad_enabled(recording):
        solution.sgd_step_(params, 0.25)
        after = torch.is_grad_enabled()
    return {"parameters": values(params)}, {"grad mode afterwards": after}


@check(points=1, star=True, x=tensor("..."), y=tensor("n m"), beside=True)
def takes_any_shape_and_layout(solution, x, y, rng):
    """Parameters and gradients may be non-contiguous, 0-dim or empty."""
    params = [torch.stack([y, y], dim=-1)[..., 0], y.clone().t(), y.clone(), x.clone()]
    for p, layout in zip(params, ("contiguous", "contiguous", "transposed", "contiguous"), strict=True):
        p.requires_grad_().grad = upstream(p, rng, layout=layout)
    step(solution, params, 0.5)
    return {"parameters": values(params)}, {}


@check(points=1, **PLAIN, lr=[0.5, 0.25])
def step_is_your_own(solution, x, y, lr, rng):
    """The step is written out, without torch.optim."""
    params = [leaf(t, upstream(t, rng)) for t in (x, y)]
    found = watched(lambda: step(solution, params, lr), "torch.optim.*")
    return {"parameters": values(params)}, found.called


@step_is_your_own.rule
def _(used):
    return Forbidden("you used torch.optim; write the step yourself, it is one line") if used else None
