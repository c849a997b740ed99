"""Hidden checks for make_params."""

import torch

from torchdojo.grading import check, default_dtype

CONCEPTS = ("B10", "B14", "H02")
KEPT = {
    "results_are_leaves": "the point of the exercise, shown without a second device",
    "moves_before_it_asks_for_gradients": "where there is no second device, only this check sees a leaf that was moved",
}

SHAPES = [
    {"w": (2, 3), "bias": (3,)},
    {"out.bias": (4,), "z.weight": (4, 5), "a.bias": (4,), "a.weight": (3,), "c.bias": (), "gain": ()},
    {"prebias": (2, 2), "bias_scale": (5,), "bias.2": (2,), "large": (5, 7), "w.Bias": (5,)},
    {"nothing": (0, 3), "w": (2,), "nothing.bias": (0,), "b": (1,)},
    {},
]


class oracle:
    """The rules of the exercise, one after the other."""

    def make_params(shapes, generator, scale=0.1, dtype=None, device=None):
        made = {}
        for name in shapes:
            values = torch.zeros(shapes[name], dtype=dtype, device="cpu")
            if name[-4:] != "bias":
                values = torch.randn(shapes[name], generator=generator, dtype=dtype, device="cpu") * scale
            made[name] = values.to(device or "cpu").detach().requires_grad_()
        return made


def facts(p):
    """What makes p a parameter."""
    if not isinstance(p, torch.Tensor):
        return p
    return {"is_leaf": p.is_leaf, "requires_grad": p.requires_grad, "grad is None": p.is_leaf and p.grad is None}


def values(p):
    return p.detach() if isinstance(p, torch.Tensor) else p


@check(points=2, shapes=SHAPES, scale=[None, 1.0, 20.0, 0.0], dtype=[torch.float32, torch.float64])
def draws_from_the_generator_in_order(solution, shapes, scale, dtype, rng, device):
    """Weights are the generator's next numbers, scaled; biases are zeros."""
    torch.rand(3, generator=rng)
    options = {} if scale is None else {"scale": scale}
    params = solution.make_params(shapes, rng, dtype=dtype, device=device, **options)
    found = {"names": list(params), "values of": {name: values(params[name]) for name in params}}
    return found | {"the generator's next number": torch.rand((), generator=rng)}


@check(points=2, shapes=SHAPES, recording=[True, False])
def results_are_leaves(solution, shapes, recording, rng, device):
    """Each result is a leaf that requires grad, also if recording is off."""
    with torch.set_grad_enabled(recording):
        params = solution.make_params(shapes, rng, device=device)
        after = torch.is_grad_enabled()
    return {name: facts(params[name]) for name in params} | {"recording afterwards": after}


@check(points=1, shapes=SHAPES[:4], dtype=[None, torch.float64])
def moves_before_it_asks_for_gradients(solution, shapes, dtype, rng):
    """On another device the results are leaves too."""
    params = solution.make_params(shapes, rng, dtype=dtype, device="meta")
    found = {name: {"device": str(getattr(params[name], "device", None))} | facts(params[name]) for name in params}
    return found | {"the generator's next number": torch.rand((), generator=rng)}


@check(points=1, shapes=SHAPES[:3], default=[torch.float64, torch.float32])
def follows_the_default_dtype(solution, shapes, default, rng):
    """Without a dtype, torch's default dtype is used; without a device, the CPU."""
    with default_dtype(default):
        params = solution.make_params(shapes, rng)
    return {name: {"values": values(params[name]), "device": str(params[name].device)} for name in params}


@check(points=1, shapes=SHAPES)
def leaves_the_global_random_state_alone(solution, shapes, rng):
    """torch's global random state and shapes stay as they are."""
    state, names = torch.get_rng_state(), dict(shapes)
    solution.make_params(shapes, rng)
    return {"random state unchanged": torch.equal(state, torch.get_rng_state()), "shapes unchanged": shapes == names}


@check(points=1, shapes=SHAPES)
def results_share_no_memory(solution, shapes, rng):
    """Changing one result changes no other one, nor those of another call."""
    both = [solution.make_params(shapes, rng) for _ in range(2)]
    tensors = [params[name] for params in both for name in params]
    with torch.no_grad():
        for number, p in enumerate(tensors):
            p.mul_(0).add_(number)  # as an optimizer does it: an expanded tensor cannot be updated
    return {"results overwritten by others": sum(bool((p != number).any()) for number, p in enumerate(tensors))}
