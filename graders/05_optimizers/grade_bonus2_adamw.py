"""Hidden checks for AdamW."""

import torch
from steps import by_a_generator, leaves, stepped, three_optimizers, trajectory, values, with_another_lr

from torchdojo.grading import Forbidden, check, tensor, upstream, watched

CONCEPTS = ("I10",)

FORBIDS = {"Optimizer.*": "an optimizer from torch.optim", "aten._fused_adam*": "an optimizer from torch.optim"}
BECAUSE = "write the formulas yourself"
KEPT = {
    name: "it is a part of the formulas by itself; the other checks use the formulas too, and say it less well"
    for name in ("default_settings", "betas_are_used", "decay_shrinks_the_parameter_first")
}
KEPT["a_missing_gradient_is_no_step"] = "the plain case by itself; the check of state refuses the same mistakes"
KEPT["step_is_your_own"] = "the rule, said in one place; it pays only where the step is right"


class oracle:
    """PyTorch's own, with lr as an attribute."""

    class AdamW(torch.optim.AdamW):
        lr = property(lambda self: self.param_groups[0]["lr"], lambda self, lr: self.param_groups[0].update(lr=lr))


# A step count in a float32 tensor, as PyTorch itself keeps it, makes 1 - 0.999 ** t wrong by 5e-5 of itself; over these
# steps that is at most 1.1e-5 (measured). The check of shapes and dtypes below has betas for which it is exact.
ABOUT = (1e-5, 1e-5)


PLAIN = {"first": tensor((2, 3), layouts=False), "second": tensor((2, 3), layouts=False), "dtypes": ("float64",), "tolerance": ABOUT}


@check(points=3, **PLAIN, settings=[{}, {"lr": 0.0625}])
def default_settings(solution, first, second, settings, rng):
    """With the default settings, the parameters are right after every step."""
    params = leaves(first, second)
    return trajectory(solution.AdamW(params, **settings, weight_decay=0.0), params, rng)


@check(points=3, **PLAIN, betas=[(0.5, 0.7), (0.9, 0.6), (0.0, 0.9), (0.8, 0.0)])
def betas_are_used(solution, first, second, betas, rng):
    """The averages use the betas, and their bias corrections fade."""
    params = leaves(first, second)
    return trajectory(solution.AdamW(params, lr=0.0625, betas=betas, weight_decay=0.0), params, rng, steps=12)


@check(points=1, **PLAIN, eps=[None, 1e-3, 1.0, 0.5], scale=[1.0, 1e-8])
def eps_comes_last(solution, first, second, eps, scale, rng):
    """eps is added to the square root of the corrected average, which matters for tiny gradients."""
    params = leaves(first, second)
    settings = {} if eps is None else {"eps": eps}
    return trajectory(solution.AdamW(params, lr=0.0625, weight_decay=0.0, **settings), params, rng, scale=scale)


@check(points=1, star=True, first=tensor("..."), second=tensor("n m"), beside=True)
def any_shape_in_float32_and_float64(solution, first, second, rng):
    """Parameters of any shape keep all the digits of their dtype."""
    params = leaves(first, second)
    opt = solution.AdamW(params, lr=0.25, betas=(0.5, 0.75), weight_decay=0.0)
    found = trajectory(opt, params, rng, steps=4, scale=1 / 7)
    return found, {"dtypes": [p.dtype for p in params]}


# betas of 0 leave the averages out: each step goes lr in the direction of the gradient's sign
@check(points=4, **PLAIN, weight_decay=[0.625, 5.0, None])
def decay_shrinks_the_parameter_first(solution, first, second, weight_decay, rng):
    """Each step first multiplies the parameter by 1 - lr * weight_decay."""
    params = leaves(first, second)
    settings = {"betas": (0.0, 0.0)}
    if weight_decay is not None:
        settings["weight_decay"] = weight_decay
    return trajectory(solution.AdamW(params, lr=0.25, **settings), params, rng)


@check(points=1, **PLAIN, beside=True)
def a_missing_gradient_is_no_step(solution, first, second, rng):
    """A parameter without a gradient does not change; the others do."""
    params = leaves(first, second)
    opt = solution.AdamW(params, lr=0.125, betas=(0.0, 0.0), weight_decay=0.5)
    found = trajectory(opt, params, rng, steps=2, absent={(1, 1), (2, 1)})
    return found, {"the one without a gradient is as it was": torch.equal(params[0], first)}


@check(points=1, star=True, **PLAIN, third=tensor((3,)), beside=True)
def every_parameter_has_its_own_state(solution, first, second, third, rng):
    """State is kept while a gradient is missing; zeros count as a gradient; optimizers share no state."""
    return three_optimizers(lambda params: solution.AdamW(params, lr=0.0625, betas=(0.5, 0.75), weight_decay=0.25), first, second, third, rng)


@check(points=1, star=True, **PLAIN, beside=True)
def new_lr_counts_at_once(solution, first, second, rng):
    """The attribute lr is public: a new value applies to the whole next step."""
    return with_another_lr(lambda params, lr: solution.AdamW(params, lr=lr, betas=(0.0, 0.0), weight_decay=0.5), [first, second], rng, 0.25, 0.0625)


@check(points=1, star=True, first=tensor((3,)), second=tensor((2, 3)), graph=[False, True], beside=True)
def parameters_and_gradients_stay_the_same_tensors(solution, first, second, graph, rng):
    """Parameters and gradients stay the same tensors; no graph is kept."""
    params = leaves(first, second)
    old = [upstream(p, rng) + (0 * p if graph else 0) for p in params]  # some with a graph, as after create_graph=True
    for p, grad in zip(params, old, strict=True):
        p.grad = grad
    copies, views = [grad.detach().clone() for grad in old], [p.detach() for p in params]
    opt = solution.AdamW(params, lr=0.25, betas=(0.0, 0.0), weight_decay=0.0)
    stepped(opt)
    stepped(opt)
    return values(views), {
        "a view has the same numbers": [torch.equal(view, p) for view, p in zip(views, params, strict=True)],
        "requires_grad": [p.requires_grad for p in params],
        "is_leaf": [p.is_leaf for p in params],
        "has a grad_fn": [p.grad_fn is not None for p in params],
        "gradients have exactly the same numbers": [torch.equal(grad, copy) for grad, copy in zip(old, copies, strict=True)],
        ".grad is the same tensor": [p.grad is grad for p, grad in zip(params, old, strict=True)],
    }


@check(points=1, star=True, first=tensor((3,)), second=tensor((2, 3)), recording=[True, False], beside=True)
def recording_stays_as_it_was(solution, first, second, recording, rng):
    """step() works with grad mode on or off, and does not change it."""
    params = leaves(first, second)
    for p in params:
        p.grad = upstream(p, rng)
    with torch.set_grad_enabled(recording):
        opt = solution.AdamW(params, lr=0.25, betas=(0.0, 0.0), weight_decay=0.0)
        opt.step()
        after = torch.is_grad_enabled()
    return values(params), {"grad mode afterwards": after}


@check(points=1, **PLAIN, beside=True)
def zero_grad_clears_the_gradients(solution, first, second, rng):
    """zero_grad sets every .grad to None."""
    params = leaves(first, second)
    opt = solution.AdamW(params, lr=0.25, betas=(0.0, 0.0), weight_decay=0.0)
    seen = trajectory(opt, params, rng, steps=1)
    opt.zero_grad()
    return seen, {".grad afterwards": [p.grad for p in params]}


@check(points=1, star=True, first=tensor((3,)), second=tensor((2, 3)), beside=True)
def takes_a_generator(solution, first, second, rng):
    """params may be a generator."""
    settings = {"lr": 0.25, "betas": (0.0, 0.0), "weight_decay": 0.0}
    return by_a_generator(lambda params: solution.AdamW(params, **settings), [first, second], rng)


@check(points=1, **PLAIN, lr=[0.5, 0.0625, 0.25])
def step_is_your_own(solution, first, second, lr, rng):
    """The optimizer is written out, without torch.optim."""
    params = leaves(first, second)
    settings = {"lr": lr, "betas": (0.0, 0.0), "weight_decay": 0.0}
    found = watched(lambda: trajectory(solution.AdamW(params, **settings), params, rng, steps=2), "torch.optim.*")
    return found.answer, found.called


@step_is_your_own.rule
def _(used):
    return Forbidden("you used torch.optim; write the formulas yourself") if used else None
