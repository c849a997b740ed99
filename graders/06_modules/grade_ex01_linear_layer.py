"""Hidden checks for LinearLayer."""

import torch
from torch import nn

from torchdojo.grading import Forbidden, check, gradients, raises, size, tensor, upstream, watched

CONCEPTS = ("I01", "I02", "I05")

FORBIDS = {"nn.*": "a ready-made layer from torch.nn"}
BECAUSE = "the point is to build one"
KEPT = {
    "no_ready_made_layer_inside": "what is not allowed, said by name",
    "maps_the_last_axis": "the product itself, worth points without gradients",
    "state_and_parameters_are_those_of_linear": "names and shapes, said by themselves",
    "gradients_flow_to_all": "a detached answer has right values; this says so by name",
}

READY_MADE = ("torch.nn.modules.[!m]*.__init__", "torch.nn.modules.[!m]*.forward")  # of all files there but module.py


class oracle:
    """nn.Linear."""

    LinearLayer = nn.Linear


def made(solution, *sizes, **settings):
    """A layer; that it seeds the global generator is tested by another check."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(5)
        return solution.LinearLayer(*sizes, **settings)


def numbers(out, into):
    """A weight and a bias that depend on nothing but their shapes."""
    weight = (torch.arange(out * into, dtype=torch.float64).reshape(out, into) % 7 - 3) / 7  # no float32 product of these and x is exact
    return weight, torch.arange(out, dtype=torch.float64) - 1.5


def filled(layer, into, out, device, dtype):
    """The layer with the weights of `numbers`, on a device, in a dtype."""
    weight, bias = numbers(out, into)
    layer.load_state_dict({"weight": weight} | ({"bias": bias} if layer.bias is not None else {}))
    return layer.to(device=device, dtype=dtype)


def filled_by_shape(layer, into, out):
    """The layer with the weights of `numbers`, whatever they are called and however they are kept."""
    weight, bias = numbers(out, into)
    with torch.no_grad():
        for t in (*layer.parameters(), *layer.buffers(), *vars(layer).values()):
            if isinstance(t, torch.Tensor) and t.shape in (weight.shape, bias.shape):
                t.copy_(weight if t.dim() == 2 else bias)
    return layer


@check(
    points=2, x=tensor("... into"), out=size("out"), into=size("into"), minimum={"into": 1, "out": 1},
    examples=[{"x": torch.zeros(0, 2, 3), "out": 2, "into": 3}],
)  # fmt: skip
def maps_the_last_axis(solution, x, out, into, device):
    """With a loaded state, the result matches nn.Linear's, for any leading axes."""
    return filled(made(solution, into, out), into, out, device, x.dtype)(x)


@check(
    points=1, x=tensor("batch into", dtype="float32"), into=size("into"), out=[2, 4, 5], minimum=1, devices=False, allows=("nn.*",),
    beside=True,
)  # fmt: skip
def state_and_parameters_are_those_of_linear(solution, x, into, out):
    """Names and shapes of parameters and state match nn.Linear's."""
    layer, other = made(solution, into, out), nn.Linear(into, out)
    return filled_by_shape(layer, into, out)(x).detach(), {
        "parameters": {name: tuple(p.shape) for name, p in sorted(layer.named_parameters())},
        "learnable": [p.requires_grad and p.is_leaf and isinstance(p, nn.Parameter) for p in layer.parameters()],
        "state": sorted(layer.state_dict()),
        "a linear layer loads it": raises(lambda: other.load_state_dict(layer.state_dict())),
    }


@check(points=1, x=tensor("batch 3"), out=[2, 4], minimum=1, dtypes=("float32",))
def bias_may_be_left_out(solution, x, out, device):
    """With bias=False there is no bias: the attribute is None and the state has only the weight."""
    layer = filled(made(solution, 3, out, bias=False), 3, out, device, x.dtype)
    names = [sorted(layer.state_dict()), sorted(name for name, _ in layer.named_parameters())]
    return {"result": layer(x), "bias is None": layer.bias is None, "names in the state, and of parameters": names}


@check(points=1, x=tensor("batch into"), out=size("out"), into=size("into"), train=[True, False], minimum=1)
def gradients_flow_to_all(solution, x, out, into, train, rng, device):
    """Gradients reach x, weight and bias."""
    x.requires_grad_()
    layer = filled(made(solution, into, out), into, out, device, x.dtype).train(train)
    y = layer(x)
    found = gradients(y, [x, layer.weight, layer.bias], upstream(y, rng))
    with torch.no_grad():
        layer.weight += 1
    later = layer(x).detach()
    with torch.no_grad():
        layer.bias.zero_()
    y = layer(x)
    zeros = gradients(y, [layer.bias], upstream(y, rng))[0]
    return {
        "gradient of x": found[0], "gradient of weight": found[1], "gradient of bias": found[2], "result with other weights": later,
        "gradient of a bias of zeros": zeros,
    }  # fmt: skip


def unevenness(values):
    """Least and largest value and standard deviation of what is not uniform between -1 and 1, [] of what is."""
    low, high, deviation, mean = values.min().item(), values.max().item(), values.std().item(), values.mean().item()
    sigma = values.numel() ** -0.5
    even = -1.0001 <= low <= -0.9 and 0.9 <= high <= 1.0001 and abs(deviation - 3**-0.5) <= 1.6 * sigma and abs(mean) <= 3.5 * sigma
    return [] if even else [low, high, deviation]  # six sigma each


@check(points=0.5, star=True, sizes=[(16, 500), (90, 400)], random=True, devices=False)
def start_values_are_uniform(solution, sizes):
    """Initial values are uniform between -1/sqrt(in) and 1/sqrt(in)."""
    layer, k = made(solution, *sizes), sizes[0] ** -0.5
    return {name: unevenness(getattr(layer, name).detach().double() / k) for name in ("weight", "bias")}


@start_values_are_uniform.judge
def _(seen):
    for name, found in seen.items():
        if found and max(-found[0], found[1]) > 1.0001:
            return f"{name} reaches {max(-found[0], found[1]):.3f} times 1/sqrt(in_features); it must stay within 1"
        if found:
            low, high, deviation = found
            return f"{name} is not uniform between -k and k: from {low:.2f} k to {high:.2f} k, standard deviation {deviation:.2f} k"
    return None


@check(points=0.5, star=True, sizes=[(16, 500), (90, 400)], random=True, devices=False)
def every_start_value_is_drawn_anew(solution, sizes):
    """Every initial value of every layer is drawn from torch's global random state, which is never seeded."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        one, two = (solution.LinearLayer(*sizes) for _ in range(2))
        seed = torch.initial_seed()
        torch.manual_seed(5)
        seeded = solution.LinearLayer(*sizes)
    numbers = torch.cat([one.weight.detach().reshape(-1), one.bias.detach().reshape(-1)])
    same = [torch.equal(one.weight, other.weight) and torch.equal(one.bias, other.bias) for other in (two, seeded)]
    different = [values.unique().numel() / numbers.numel() for values in (numbers, numbers.abs())]
    return {"different": different, "two layers alike": same[0], "same seed, same values": same[1], "seed": seed}


@every_start_value_is_drawn_anew.judge
def _(seen):
    if seen["seed"] != 5:
        return "the layer seeded torch's global random state; leave seeding to the caller"
    if seen["two layers alike"]:
        return "two layers got the same initial values"
    if seen["different"][0] < 0.99:
        return f"only {seen['different'][0]:.0%} of the initial values differ; draw every number independently"
    if seen["different"][1] < 0.99:
        return "some initial values repeat others with the opposite sign; draw every number independently"
    return None if seen["same seed, same values"] else "the same torch.manual_seed gave different initial values: draw from torch's global random state"


@check(points=1, x=tensor("batch into"), out=size("out"), into=size("into"), minimum=1, dtypes=("float32",), allows=("nn.*",))
def no_ready_made_layer_inside(solution, x, out, into, device):
    """The layer is built from parameters, not from another layer."""
    layers = []

    def whole():
        layers.append(made(solution, into, out))
        return filled(layers[0], into, out, device, x.dtype)(x)

    found = watched(whole, *READY_MADE)
    ready = [base.__name__ for base in type(layers[0]).__mro__[1:] if base.__module__.startswith("torch.nn.modules.") and base is not nn.Module]
    return found.answer, {"inside": ready + [type(m).__name__ for m in layers[0].modules() if m is not layers[0]], "called": found.called}


@no_ready_made_layer_inside.rule
def _(seen):
    if seen["inside"]:
        return Forbidden(f"you used torch's own {seen['inside'][0]}; build one yourself")
    return Forbidden(f"you used a ready-made layer inside ({seen['called'][0]}); build one yourself") if seen["called"] else None
