"""Hidden checks for Adam."""

import torch
from torch.autograd.graph import get_gradient_edge

from torchdojo.grading import check, kept_elsewhere, raises, tensor, upstream, watched

CONCEPTS = ("I10",)

FORBIDS = {"Optimizer.*": "an optimizer of torch.optim", "aten._fused_adam*": "an optimizer of torch.optim"}
BECAUSE = "the point is to write what it does"
KEPT = {
    name: "it is a part of the formulas by itself; the other checks use the formulas too, and say it less well"
    for name in ("betas_and_eps_are_used", "weight_decay_is_part_of_g")
}


class oracle:
    """PyTorch's own, with lr as an attribute."""

    class Adam(torch.optim.Adam):
        lr = property(lambda self: self.param_groups[0]["lr"], lambda self, lr: self.param_groups[0].update(lr=lr))


def leaves(*starts):
    """Fresh parameters that start at the drawn numbers."""
    return [start.clone().requires_grad_() for start in starts]


def values(params):
    return {name: p.detach().clone() for name, p in zip(("first", "second", "third", "fourth"), params, strict=False)}


def trajectory(opt, params, rng, steps=5, absent=(), zero=(), scale=1.0, clear=False):
    """The parameters after each step. absent, zero: (step, place) of the gradients that are missing, or zero. clear: call
    zero_grad() before each step."""
    seen = {}
    for step in range(1, steps + 1):
        if clear:
            opt.zero_grad()
        for place, p in enumerate(params, 1):
            grad = upstream(p, rng) * scale * ((step, place) not in zero)
            p.grad = None if (step, place) in absent else grad
        opt.step()
        seen[f"step {step}"] = values(params)
    return seen


def before_the_move(params, make):
    """An optimizer that is made while its parameters are on the CPU; then each goes where it belongs, as in model.to()."""
    places = [p.device for p in params]
    for p in params:
        p.data = p.data.cpu()
    opt = make()
    for p, place in zip(params, places, strict=True):
        p.data = p.data.to(place)
    return opt


# A step count in a float32 tensor, as PyTorch itself keeps it, makes 1 - 0.999 ** t wrong by 5e-5 of itself; over these
# steps that is at most 1.1e-5 (measured). The check of shapes and dtypes below has betas for which it is exact.
ABOUT = (1e-5, 1e-5)


@check(
    points=2, first=tensor((2, 3)), second=tensor((3,)), settings=[{}, {"lr": 0.0625}], scale=[1.0, 1e-8, float("inf")],
    dtypes=("float64",), tolerance=ABOUT,
)  # fmt: skip
def defaults_are_those_of_the_signature(solution, first, second, settings, scale, rng):
    """The steps are right with the default settings, also for tiny gradients and infinite ones."""
    params = leaves(first, second)
    return trajectory(solution.Adam(params, **settings), params, rng, scale=scale)


@check(
    points=2, first=tensor((2, 3)), second=tensor((2, 3)), dtypes=("float64",), tolerance=ABOUT,
    settings=[
        {"betas": (0.5, 0.7), "eps": 1e-3}, {"betas": (0.9, 0.6), "eps": 1.0},
        {"betas": (0.0, 0.9)}, {"betas": (0.8, 0.0), "eps": 0.5},
    ],
)  # fmt: skip
def betas_and_eps_are_used(solution, first, second, settings, rng):
    """The averages follow the betas, their corrections fade, eps comes last."""
    params = leaves(first, second)
    return trajectory(solution.Adam(params, lr=0.0625, **settings), params, rng, steps=12, scale=0.25)


@check(points=1, first=tensor("..."), second=tensor("n m"))
def any_shape_in_float32_and_float64(solution, first, second, rng):
    """Parameters of any shape keep their dtype, even if they moved meanwhile."""
    params, settings = leaves(first, second), {"lr": 0.25, "betas": (0.5, 0.75), "eps": 0.125}
    opt = before_the_move(params, lambda: solution.Adam(params, **settings))
    return trajectory(opt, params, rng, steps=4, scale=1 / 7) | {"state elsewhere": kept_elsewhere(opt, params)}


@check(
    points=1, first=tensor((2, 3)), second=tensor((3,)), dtypes=("float64",), tolerance=ABOUT,
    settings=[{"eps": 1e-3, "betas": (0.5, 0.7)}, {}, {"eps": 1.0}],
)  # fmt: skip
def weight_decay_is_part_of_g(solution, first, second, settings, rng):
    """weight_decay * p is added to the gradient that the averages see."""
    params = leaves(first, second)
    return trajectory(solution.Adam(params, lr=0.0625, weight_decay=0.625, **settings), params, rng)


@check(
    points=2, first=tensor((2, 3)), second=tensor((2, 3)), third=tensor((3,)), settings=[{}, {"weight_decay": 0.5}],
    dtypes=("float64",), tolerance=ABOUT,
)  # fmt: skip
def every_parameter_has_its_own_state(solution, first, second, third, settings, rng):
    """A parameter without a gradient is left alone; zeros are a gradient."""
    params, others = leaves(first, second, third), leaves(second, first)
    settings = {"lr": 0.0625, "betas": (0.5, 0.75), "eps": 1e-3, **settings}
    opt, other, late = (solution.Adam(tensors, **settings) for tensors in (params, others, params))
    absent = {(1, 2), (2, 2), (3, 2), (4, 1), (5, 1), (1, 3), (2, 3), (3, 3), (4, 3), (5, 3), (6, 3), (7, 3), (8, 3)}
    return {
        "first optimizer": trajectory(opt, params, rng, steps=8, absent=absent, zero={(3, 1), (6, 2)}, clear=True),
        "second optimizer": trajectory(other, others, rng, steps=2),
        "third optimizer, for the tensors of the first": trajectory(late, params, rng, steps=2),
    }


@check(points=1, first=tensor((2, 3)), second=tensor((3,)), dtypes=("float64",), tolerance=ABOUT)
def new_lr_counts_at_once(solution, first, second, rng):
    """The attribute lr is public: a new value holds for the whole next step."""
    params = leaves(first, second)
    opt = solution.Adam(params, lr=0.25)
    seen = {"lr at first": opt.lr, "before": trajectory(opt, params, rng, steps=2)}
    opt.lr = 0.0625
    return seen | {"after opt.lr = 0.0625": trajectory(opt, params, rng, steps=3)}


@check(
    points=1, first=tensor("..."), second=tensor("n m"), recording=[True, False],
    settings=[{}, {"weight_decay": 0.5, "eps": 0.125}],
)  # fmt: skip
def steps_in_place_and_leaves_gradients_alone(solution, first, second, recording, settings, rng):
    """Parameters and gradients stay the same tensors; gradients keep their numbers."""
    params = [*leaves(first, second), second.clone()]
    nodes = [get_gradient_edge(p).node for p in params[:2]]
    for node in nodes:
        node.metadata["from before"] = True  # it lives on with the graphs that lead to p, else p gets a new one
    old = [upstream(p, rng) + (0 * p if settings else 0) for p in params]  # some with a graph, as after create_graph=True
    for p, grad in zip(params, old, strict=True):
        p.grad = grad
    copies, views = [grad.detach().clone() for grad in old], [p.detach() for p in params]
    with torch.set_grad_enabled(recording):
        opt = solution.Adam(params, lr=0.25, betas=(0.5, 0.75), **settings)
        opt.step()
        opt.step()
        after = torch.is_grad_enabled()
    del node, nodes
    seen = {
        "recording afterwards": after,
        "a view of each parameter": values(views),
        "requires_grad": [p.requires_grad for p in params],
        "is_leaf": [p.is_leaf for p in params],
        "has a grad_fn": [p.grad_fn is not None for p in params],
        "gradients have exactly the same numbers": [torch.equal(grad, copy) for grad, copy in zip(old, copies, strict=True)],
        ".grad is the same tensor": [p.grad is grad for p, grad in zip(params, old, strict=True)],
    }
    for p in params:
        p.grad = None
    del grad, old
    return seen | {"a graph of the step is kept": ["from before" in get_gradient_edge(p).node.metadata for p in params[:2]]}


@check(points=1, first=tensor((3,)), second=tensor((2, 3)))
def takes_a_generator(solution, first, second, rng):
    """params may be a generator, and step() and zero_grad() are called often."""
    params = leaves(first, second)
    opt = solution.Adam((p for p in params), lr=0.25, betas=(0.5, 0.75))
    seen = {}
    for step in (1, 2, 3):
        for p in params:
            p.grad = upstream(p, rng)
        opt.step()
        opt.zero_grad()
        seen[f"step {step}"] = values(params)
    return seen


@check(points=1, first=tensor((3,)), second=tensor((2, 3)))
def zero_grad_clears_every_gradient(solution, first, second, rng):
    """zero_grad sets every .grad to None, and nothing else."""
    params = [*leaves(first, second, second), first.clone()]
    old = [upstream(p, rng) for p in (params[1], params[3])]
    params[1].grad, params[3].grad = old
    solution.Adam(params, lr=0.25).zero_grad()
    seen = {".grad": [p.grad for p in params], **values(params), "requires_grad": [p.requires_grad for p in params]}
    return seen | {"the tensors that were gradients": old}


BAD = [{"lr": -0.5}, {"eps": -1e-3}, {"weight_decay": -0.5}]
BAD += [{"betas": betas} for betas in ((-0.5, 0.5), (0.5, -0.5), (1.0, 0.5), (0.5, 1.0), (1.5, 0.5), (0.5, 1.5))]
GOOD = [{"lr": 0.0}, {"lr": 2.0}, {"weight_decay": 2.0}, {"eps": 0.0, "weight_decay": 0.0}]
GOOD += [{"betas": (0.0, 0.0)}, {"betas": (0.99, 0.9999)}]


@check(
    points=1, first=tensor((2,), layouts=False), dtypes=("float64",),
    settings=[*BAD, *GOOD, "an empty list", "an empty generator"],
)  # fmt: skip
def settings_without_sense_are_refused(solution, first, settings):
    """The constructor raises ValueError for what makes no sense, and only then."""
    if isinstance(settings, str):
        return {"error": raises(lambda: solution.Adam([] if settings == "an empty list" else iter(())), ValueError)}
    return {"error": raises(lambda: solution.Adam(leaves(first), **settings), ValueError)}


@check(
    points=1, first=tensor((2, 3), layouts=False), second=tensor((3,)), lr=[0.5, 0.0625], weight_decay=[0.0, 0.5],
    tolerance=ABOUT,
)  # fmt: skip
def step_is_your_own(solution, first, second, lr, weight_decay, rng):
    """The optimizer is written out, without torch.optim."""
    params = leaves(first, second)

    def use():
        return trajectory(solution.Adam(params, lr=lr, weight_decay=weight_decay), params, rng, steps=3, clear=True)

    found = watched(use, "torch.optim.*")
    return found.answer, found.called


@step_is_your_own.rule
def _(used):
    if used:
        return "torch.optim did the work; the point is to write what it does"
