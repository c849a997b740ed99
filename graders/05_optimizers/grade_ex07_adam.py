"""Hidden checks for Adam."""

import torch
from steps import by_a_generator, leaves, stepped, three_optimizers, trajectory, values, with_another_lr
from torch.autograd.graph import get_gradient_edge

from torchdojo.grading import Forbidden, check, kept_elsewhere, tensor, upstream, watched

CONCEPTS = ("I10",)

FORBIDS = {"Optimizer.*": "an optimizer from torch.optim", "aten._fused_adam*": "an optimizer from torch.optim"}
BECAUSE = "write the formulas yourself"
KEPT = {
    name: "it is a part of the formulas by itself; the other checks use the formulas too, and say it less well"
    for name in ("default_settings", "betas_are_used", "eps_comes_last", "weight_decay_is_part_of_g")
}
KEPT["a_missing_gradient_is_no_step"] = "the plain case by itself; the check of state refuses the same mistakes"
KEPT["state_lives_beside_its_parameter"] = "it names state on the wrong device; other checks only raise where devices meet"
KEPT["step_is_your_own"] = "the rule, said in one place; it pays only where the step is right"


class oracle:
    """PyTorch's own, with lr as an attribute."""

    class Adam(torch.optim.Adam):
        lr = property(lambda self: self.param_groups[0]["lr"], lambda self, lr: self.param_groups[0].update(lr=lr))


# A step count in a float32 tensor, as PyTorch itself keeps it, makes 1 - 0.999 ** t wrong by 5e-5 of itself; over these
# steps that is at most 1.1e-5 (measured). The check of shapes and dtypes below has betas for which it is exact.
ABOUT = (1e-5, 1e-5)


PLAIN = {"first": tensor((2, 3), layouts=False), "second": tensor((2, 3), layouts=False), "dtypes": ("float64",), "tolerance": ABOUT}


@check(points=4, **PLAIN, settings=[{}, {"lr": 0.0625}])
def default_settings(solution, first, second, settings, rng):
    """With the default settings, the parameters are right after every step."""
    params = leaves(first, second)
    return trajectory(solution.Adam(params, **settings), params, rng)


@check(points=3, **PLAIN, betas=[(0.5, 0.7), (0.9, 0.6), (0.0, 0.9), (0.8, 0.0)])
def betas_are_used(solution, first, second, betas, rng):
    """The averages use the betas, and their bias corrections fade."""
    params = leaves(first, second)
    return trajectory(solution.Adam(params, lr=0.0625, betas=betas), params, rng, steps=12)


@check(points=1, **PLAIN, eps=[None, 1e-3, 1.0, 0.5], scale=[1.0, 1e-8])
def eps_comes_last(solution, first, second, eps, scale, rng):
    """eps is added to the square root of the corrected average, which matters for tiny gradients."""
    params = leaves(first, second)
    settings = {} if eps is None else {"eps": eps}
    return trajectory(solution.Adam(params, lr=0.0625, **settings), params, rng, scale=scale)


@check(points=1, star=True, first=tensor("..."), second=tensor("n m"), beside=True)
def any_shape_in_float32_and_float64(solution, first, second, rng):
    """Parameters of any shape keep all the digits of their dtype."""
    params = leaves(first, second)
    opt = solution.Adam(params, lr=0.25, betas=(0.5, 0.75))
    found = trajectory(opt, params, rng, steps=4, scale=1 / 7)
    return found, {"dtypes": [p.dtype for p in params]}


# Betas of 0 leave the averages out: m is g and v is g ** 2. The parameters are odd multiples of 1/32, so |g| is at least 1/32,
# beside which eps can't be seen.
@check(points=1, **PLAIN, weight_decay=[1.0, 2.0])
def weight_decay_is_part_of_g(solution, first, second, weight_decay, rng):
    """weight_decay * p is added to the gradient that the averages see."""
    params = leaves(first + 1 / 32, second + 1 / 32)
    opt = solution.Adam(params, lr=0.0625, weight_decay=weight_decay, betas=(0.0, 0.0))
    return trajectory(opt, params, rng)


@check(points=1, **PLAIN, beside=True)
def a_missing_gradient_is_no_step(solution, first, second, rng):
    """A parameter without a gradient does not change; the others do."""
    params = leaves(first, second)
    opt = solution.Adam(params, lr=0.125, betas=(0.0, 0.0))
    found = trajectory(opt, params, rng, steps=2, absent={(1, 1), (2, 1)})
    return found, {"the one without a gradient is as it was": torch.equal(params[0], first)}


@check(points=1, star=True, **PLAIN, third=tensor((3,)), beside=True)
def every_parameter_has_its_own_state(solution, first, second, third, rng):
    """State is kept while a gradient is missing; zeros count as a gradient; optimizers share no state."""
    return three_optimizers(lambda params: solution.Adam(params, lr=0.0625, betas=(0.5, 0.75)), first, second, third, rng)


@check(points=1, star=True, **PLAIN, beside=True)
def new_lr_counts_at_once(solution, first, second, rng):
    """The attribute lr is public: a new value applies to the whole next step."""
    return with_another_lr(lambda params, lr: solution.Adam(params, lr=lr, betas=(0.0, 0.0)), [first, second], rng, 0.25, 0.0625)


# with this tolerance neither eps nor a decay of 0.02 can be seen: they turn no sign around
@check(points=1, star=True, first=tensor((3,)), second=tensor((2, 3)), graph=[False, True], tolerance=ABOUT, beside=True)
def parameters_and_gradients_stay_the_same_tensors(solution, first, second, graph, rng):
    """Parameters and gradients stay the same tensors; no graph is kept."""
    params = leaves(first, second)
    nodes = [get_gradient_edge(p).node for p in params[:2]]
    for node in nodes:
        node.metadata["from before"] = True  # it lives on with the graphs that lead to p, else p gets a new one
    old = [upstream(p, rng) + (0 * p if graph else 0) for p in params]  # some with a graph, as after create_graph=True
    for p, grad in zip(params, old, strict=True):
        p.grad = grad
    copies, views = [grad.detach().clone() for grad in old], [p.detach() for p in params]
    opt = solution.Adam(params, lr=0.25, betas=(0.0, 0.0), weight_decay=0.02)
    stepped(opt)
    stepped(opt)
    del node, nodes
    found = values(views)
    seen = {
        "a view has the same numbers": [torch.equal(view, p) for view, p in zip(views, params, strict=True)],
        "requires_grad": [p.requires_grad for p in params],
        "is_leaf": [p.is_leaf for p in params],
        "has a grad_fn": [p.grad_fn is not None for p in params],
        "gradients have exactly the same numbers": [torch.equal(grad, copy) for grad, copy in zip(old, copies, strict=True)],
        ".grad is the same tensor": [p.grad is grad for p, grad in zip(params, old, strict=True)],
    }
    for p in params:
        p.grad = None
    del grad, old
    return found, seen | {"a graph of the step is kept": ["from before" in get_gradient_edge(p).node.metadata for p in params[:2]]}


@check(points=1, star=True, first=tensor((3,)), second=tensor((2, 3)), recording=[True, False], beside=True)
def recording_stays_as_it_was(solution, first, second, recording, rng):
    """step() works with grad mode on or off, and does not change it."""
    params = leaves(first, second)
    for p in params:
        p.grad = upstream(p, rng)
    with torch.set_grad_enabled(recording):
        opt = solution.Adam(params, lr=0.25, betas=(0.0, 0.0))
        opt.step()
        after = torch.is_grad_enabled()
    return values(params), {"grad mode afterwards": after}


@check(points=1, **PLAIN, beside=True)
def zero_grad_clears_the_gradients(solution, first, second, rng):
    """zero_grad sets every .grad to None."""
    params = leaves(first, second)
    opt = solution.Adam(params, lr=0.25, betas=(0.0, 0.0))
    seen = trajectory(opt, params, rng, steps=1)
    opt.zero_grad()
    return seen, {".grad afterwards": [p.grad for p in params]}


@check(points=1, star=True, first=tensor((3,)), second=tensor((2, 3)), beside=True)
def takes_a_generator(solution, first, second, rng):
    """params may be a generator."""
    return by_a_generator(lambda params: solution.Adam(params, lr=0.25, betas=(0.0, 0.0)), [first, second], rng)


@check(points=1, star=True, first=tensor((2, 3), layouts=False), second=tensor((3,), layouts=False), tolerance=ABOUT, about_device=True, beside=True)
def state_lives_beside_its_parameter(solution, first, second, rng):
    """m and v are on the device of their parameter."""
    params = leaves(first, second)
    opt = solution.Adam(params, lr=0.25, betas=(0.5, 0.75), eps=0.125)
    return trajectory(opt, params, rng, steps=3, scale=1 / 7), {"state elsewhere": kept_elsewhere(opt, params)}


@check(points=1, **PLAIN, lr=[0.5, 0.0625, 0.25])
def step_is_your_own(solution, first, second, lr, rng):
    """The optimizer is written out, without torch.optim."""
    params = leaves(first, second)
    found = watched(lambda: trajectory(solution.Adam(params, lr=lr, betas=(0.0, 0.0)), params, rng, steps=2), "torch.optim.*")
    return found.answer, found.called


@step_is_your_own.rule
def _(used):
    return Forbidden("you used torch.optim; write the formulas yourself") if used else None
