"""Hidden checks for SGD."""

import torch
from steps import by_a_generator, leaves, stepped, three_optimizers, trajectory, values, with_another_lr
from torch.autograd.graph import get_gradient_edge

from torchdojo.grading import Forbidden, check, tensor, upstream, watched

CONCEPTS = ("I03",)

FORBIDS = {"Optimizer.*": "an optimizer from torch.optim", "aten._fused_sgd*": "an optimizer from torch.optim"}
BECAUSE = "write the formulas yourself"
KEPT = {
    name: "it is a part of the formulas by itself; the other checks use the formulas too, and say it less well"
    for name in ("plain_steps", "velocity_lives_from_step_to_step", "weight_decay_is_part_of_g")
}
KEPT["a_missing_gradient_is_no_step"] = "the plain case by itself; the check of state refuses the same mistakes"
KEPT["step_is_your_own"] = "the rule, said in one place; it pays only where the step is right"


class oracle:
    """PyTorch's own, with lr as an attribute."""

    class SGD(torch.optim.SGD):
        lr = property(lambda self: self.param_groups[0]["lr"], lambda self, lr: self.param_groups[0].update(lr=lr))


PLAIN = {"first": tensor((2, 3), layouts=False), "second": tensor((2, 3), layouts=False), "dtypes": ("float64",)}


@check(points=5, **PLAIN, lr=[0.25, 0.1, 2.0])
def plain_steps(solution, first, second, lr, rng):
    """Without momentum each step is -lr times the gradient."""
    params = leaves(first, second)
    return trajectory(solution.SGD(params, lr=lr), params, rng)


@check(points=3, **PLAIN, momentum=[0.5, 0.9])
def velocity_lives_from_step_to_step(solution, first, second, momentum, rng):
    """Each parameter keeps a velocity: momentum times the old one plus g."""
    params = leaves(first, second)
    return trajectory(solution.SGD(params, lr=0.125, momentum=momentum), params, rng)


@check(points=1, star=True, first=tensor("..."), second=tensor("n m"), momentum=[0.5, 0.0], beside=True)
def any_shape_in_float32_and_float64(solution, first, second, momentum, rng):
    """Parameters of any shape keep all the digits of their dtype."""
    params = leaves(first, second)
    found = trajectory(solution.SGD(params, lr=0.125, momentum=momentum), params, rng, steps=2, scale=1 / 7)
    return found, {"dtypes": [p.dtype for p in params]}


@check(points=1, **PLAIN, momentum=[0.5, 0.9], weight_decay=[0.0, 0.5])
def nesterov_looks_ahead(solution, first, second, momentum, weight_decay, rng):
    """With nesterov the direction is g + momentum * v."""
    params = leaves(first, second)
    opt = solution.SGD(params, lr=0.125, momentum=momentum, weight_decay=weight_decay, nesterov=True)
    return trajectory(opt, params, rng)


@check(points=1, **PLAIN, settings=[{"momentum": 0.0}, {"momentum": 0.5}])
def weight_decay_is_part_of_g(solution, first, second, settings, rng):
    """weight_decay * p is added to the gradient before the velocity is updated."""
    params = leaves(first, second)
    return trajectory(solution.SGD(params, lr=0.125, weight_decay=0.5, **settings), params, rng)


@check(points=1, **PLAIN, beside=True)
def a_missing_gradient_is_no_step(solution, first, second, rng):
    """A parameter without a gradient does not change; the others do."""
    params = leaves(first, second)
    opt = solution.SGD(params, lr=0.125, momentum=0.5)
    found = trajectory(opt, params, rng, steps=2, absent={(1, 1), (2, 1)})
    return found, {"the one without a gradient is as it was": torch.equal(params[0], first)}


@check(points=1, star=True, **PLAIN, third=tensor((3,)), beside=True)
def every_parameter_has_its_own_velocity(solution, first, second, third, rng):
    """State is kept while a gradient is missing; zeros count as a gradient; optimizers share no state."""
    return three_optimizers(lambda params: solution.SGD(params, lr=0.125, momentum=0.5), first, second, third, rng)


@check(points=1, star=True, first=tensor((2, 3)), second=tensor((3,)), dtypes=("float64",), beside=True)
def gradients_may_be_zeroed_in_place(solution, first, second, rng):
    """The velocity stays right if the caller zeroes the .grad afterwards."""
    params, others, state = leaves(first, second), leaves(first, second), rng.get_state()
    opt, other = (solution.SGD(tensors, lr=0.125, momentum=0.5) for tensors in (params, others))
    seen = trajectory(opt, params, rng, steps=1)
    for step in (2, 3, 4):
        for p in params:
            p.grad.zero_()
            p.grad.add_(upstream(p, rng))
        stepped(opt)
        seen[f"step {step}"] = values(params)
    rng.set_state(state)
    trajectory(other, others, rng, steps=4)
    return seen, {"the same as with new gradients": [torch.equal(p, q) for p, q in zip(params, others, strict=True)]}


@check(points=1, star=True, first=tensor((2, 3)), second=tensor((3,)), nesterov=[False, True], dtypes=("float64",), beside=True)
def new_lr_counts_at_once(solution, first, second, nesterov, rng):
    """The attribute lr is public: a new value applies to the whole next step."""
    return with_another_lr(lambda params, lr: solution.SGD(params, lr=lr, momentum=0.5, nesterov=nesterov), [first, second], rng, 0.25, 0.0625)


@check(points=1, star=True, first=tensor((3,)), second=tensor((2, 3)), graph=[False, True], beside=True)
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
    opt = solution.SGD(params, lr=0.25, momentum=0.5, weight_decay=0.25)
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
        opt = solution.SGD(params, lr=0.25)
        opt.step()
        after = torch.is_grad_enabled()
    return values(params), {"grad mode afterwards": after}


@check(points=1, **PLAIN, beside=True)
def zero_grad_clears_the_gradients(solution, first, second, rng):
    """zero_grad sets every .grad to None."""
    params = leaves(first, second)
    opt = solution.SGD(params, lr=0.5)
    seen = trajectory(opt, params, rng, steps=1)
    opt.zero_grad()
    return seen, {".grad afterwards": [p.grad for p in params]}


@check(points=1, star=True, first=tensor((3,)), second=tensor((2, 3)), beside=True)
def takes_a_generator(solution, first, second, rng):
    """params may be a generator."""
    return by_a_generator(lambda params: solution.SGD(params, lr=0.5), [first, second], rng)


@check(points=1, **PLAIN, lr=[0.5, 0.0625, 0.25])
def step_is_your_own(solution, first, second, lr, rng):
    """The optimizer is written out, without torch.optim."""
    params = leaves(first, second)
    found = watched(lambda: trajectory(solution.SGD(params, lr=lr), params, rng, steps=2), "torch.optim.*")
    return found.answer, found.called


@step_is_your_own.rule
def _(used):
    return Forbidden("you used torch.optim; write the formulas yourself") if used else None
