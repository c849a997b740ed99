"""Hidden checks for make_params."""

import torch

from torchdojo.grading import check, default_dtype

CONCEPTS = ("B10", "B14", "H02")
KEPT = {
    "draws_on_the_cpu_and_moves": "a slip that shows on another device costs this check alone",
    "results_are_leaves": "the point of the exercise, shown without a second device",
    "moves_before_it_asks_for_gradients": "where there is no second device, only this check sees a leaf that was moved",
}

SHAPES = [
    {"w": (2, 3), "bias": (3,)},
    {"out.bias": (4,), "z.weight": (4, 5), "a.bias": (4,), "a.weight": (4, 5), "gain": (2, 2)},
    {"large": (5, 7), "w": (2,), "w.bias": (5,), "bias": (5,)},
]
NAMES = [
    {"prebias": (2, 2), "bias_scale": (5,), "bias.2": (2,), "w.Bias": (5,)},
    {"nothing": (0, 3), "w": (2,), "nothing.bias": (0,), "one": (), "c.bias": ()},
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


def made(solution, *args, **options):
    """The parameters, with the global random state put back: that has a check of its own."""
    with torch.random.fork_rng(devices=[]):
        return solution.make_params(*args, **options)


def numbers(p):
    """Whether it is drawn or filled: all its numbers differ, or all are 0. Which ones they are has a check of its own."""
    values = p.detach().cpu().reshape(-1)
    if not bool((values != 0).any()):
        return "zeros"
    return "different" if bool(values.isfinite().all()) and len(values.unique()) == len(values) else "others"


def drawn(params):
    """What the weights hold; the biases have a check of their own."""
    return {f"numbers of {name}": numbers(p) for name, p in params.items() if not name.endswith("bias")}


def facts(p):
    """What makes p a parameter."""
    return {"is_leaf": p.is_leaf, "requires_grad": p.requires_grad, "grad is None": p.is_leaf and p.grad is None}


@check(points=3, shapes=SHAPES, scale=[None, 1.0, 20.0], devices=False)
def draws_from_the_generator_in_order(solution, shapes, scale, rng):
    """Weights are the generator's next numbers, scaled; biases are zeros."""
    torch.rand(3, generator=rng)
    options = {} if scale is None else {"scale": scale}
    params = made(solution, shapes, rng, dtype=torch.float32, **options)
    found = {"names": list(params), "values of": {name: params[name].detach().float() for name in params}}
    return found | {"the generator's next number": torch.rand((), generator=rng)}


@check(points=3, shapes=SHAPES)
def results_are_leaves(solution, shapes, rng):
    """Each result is a leaf that requires grad and has no .grad."""
    params = made(solution, shapes, rng)
    return {name: facts(params[name]) for name in shapes} | drawn(params)


@check(points=1, shapes=NAMES + [{}])
def only_names_that_end_in_bias_are_zeros(solution, shapes, rng):
    """Names that only contain bias are drawn; a shape may be () or contain 0, and shapes may be empty."""
    params = made(solution, shapes, rng)
    ordinary = made(solution, SHAPES[0], rng)
    return [{name: {"shape": tuple(p.shape), "numbers": numbers(p)} for name, p in each.items()} for each in (params, ordinary)]


@check(points=1, shapes=SHAPES[:2], dtype=[torch.float64, None])
def dtype_is_the_one_asked_for(solution, shapes, dtype, rng):
    """The results have the requested dtype; None means torch's default dtype."""
    with default_dtype(torch.float64 if dtype is None else torch.float32):
        params = made(solution, shapes, rng, dtype=dtype)
    return {name: {"dtype": p.dtype, "device": str(p.device)} for name, p in params.items()} | drawn(params)


@check(points=1, star=True, shapes=SHAPES, about_device=True)
def draws_on_the_cpu_and_moves(solution, shapes, rng, device):
    """On any device the results are the numbers that the generator draws on the CPU."""
    params = made(solution, shapes, rng, device=device)
    return {name: {"values": p.detach().cpu(), "device": p.device} for name, p in params.items()}


@check(points=1, star=True, shapes=SHAPES)
def moves_before_it_asks_for_gradients(solution, shapes, rng):
    """On another device the results are leaves too."""
    params = made(solution, shapes, rng, device="meta")
    found = {name: {"device": str(params[name].device)} | facts(params[name]) for name in params}
    return found | drawn(made(solution, shapes, rng))


@check(points=1, star=True, shapes=SHAPES, beside=True)
def leaves_the_global_random_state_alone(solution, shapes, rng):
    """torch's global random state and shapes do not change."""
    state, names = torch.get_rng_state(), dict(shapes)
    params = solution.make_params(shapes, rng)
    found = {"random state unchanged": torch.equal(state, torch.get_rng_state()), "shapes unchanged": shapes == names}
    torch.set_rng_state(state)
    return drawn(params), found


@check(points=1, shapes=SHAPES)
def results_share_no_memory(solution, shapes, rng):
    """Changing one result changes neither the other results nor those of another call."""
    both = [made(solution, shapes, rng) for _ in range(2)]
    tensors = [params[name] for params in both for name in params]
    before = [drawn(params) for params in both]
    with torch.no_grad():
        for number, p in enumerate(tensors):
            p.mul_(0).add_(number)  # as an optimizer does it: an expanded tensor cannot be updated
    return {"numbers": before, "results overwritten by others": sum(bool((p != number).any()) for number, p in enumerate(tensors))}
