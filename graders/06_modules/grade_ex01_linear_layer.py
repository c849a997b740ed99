"""Hidden checks for LinearLayer."""

import torch
from torch import nn

from torchdojo.grading import called, check, gradients, raises, size, tensor, upstream

CONCEPTS = ("I01", "I02", "I05")

KEPT = {
    "state_and_parameters_are_those_of_linear": "names and shapes, said by themselves",
    "gradients_flow_to_all": "a detached answer has right values; this says so by name",
}

READY_MADE = ("torch.nn.modules.[!m]*.__init__", "torch.nn.modules.[!m]*.forward")  # of all files there but module.py


class oracle:
    """nn.Linear."""

    LinearLayer = nn.Linear


def filled(layer, device, dtype):
    """The layer with weights that depend on nothing but their shapes, on a device, in a dtype."""
    out, into = layer.weight.shape
    weight = (torch.arange(out * into, dtype=torch.float64).reshape(out, into) % 7 - 3) / 7  # no float32 product of these and x is exact
    state = {"weight": weight} | ({"bias": torch.arange(out, dtype=torch.float64) - 1.5} if layer.bias is not None else {})
    layer.load_state_dict(state)
    return layer.to(device=device, dtype=dtype)


@check(
    points=2, x=tensor("... into"), out=size("out"), into=size("into"), bias=[True, False], minimum={"into": 1, "out": 1},
    examples=[{"x": torch.zeros(0, 2, 3), "out": 2, "into": 3, "bias": True}],
)  # fmt: skip
def maps_the_last_axis(solution, x, out, into, bias, device):
    """With a loaded state the result is nn.Linear's, for any leading axes."""
    return filled(solution.LinearLayer(into, out, bias=bias), device, x.dtype)(x)


@check(points=1, sizes=[(3, 2), (4, 4), (1, 5)], bias=[True, False], devices=False)
def state_and_parameters_are_those_of_linear(solution, sizes, bias):
    """Names, shapes and order of parameters and state are nn.Linear's."""
    layer = solution.LinearLayer(*sizes, bias)
    other = nn.Linear(*sizes, bias=bias)
    loads = other.load_state_dict(layer.state_dict())
    return {
        "parameters": {name: tuple(p.shape) for name, p in sorted(layer.named_parameters())},
        "learnable": [p.requires_grad and p.is_leaf and isinstance(p, nn.Parameter) for p in layer.parameters()],
        "state": sorted(layer.state_dict()),
        "bias is None": layer.bias is None,
        "a linear layer loads it": [list(loads.missing_keys), list(loads.unexpected_keys)],
    }


@check(points=1, x=tensor("batch into"), out=size("out"), into=size("into"), train=[True, False], minimum=1)
def gradients_flow_to_all(solution, x, out, into, train, rng, device):
    """Gradients reach x, weight and bias."""
    x.requires_grad_()
    layer = filled(solution.LinearLayer(into, out), device, x.dtype).train(train)
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


@check(points=2, sizes=[(16, 500), (90, 400)], random=True, devices=False)
def start_values_are_uniform(solution, sizes):
    """Start values are spread evenly between -1/sqrt(in) and 1/sqrt(in), anew for each layer."""
    state = torch.get_rng_state()
    torch.manual_seed(5)
    one, two = solution.LinearLayer(*sizes), solution.LinearLayer(*sizes)
    torch.manual_seed(5)
    seeded = solution.LinearLayer(*sizes)
    torch.set_rng_state(state)  # the seed that the check began with, too
    k = sizes[0] ** -0.5
    facts = {}
    for name in ("weight", "bias"):
        values = getattr(one, name).detach().double() / k
        facts[name] = [values.min().item(), values.max().item(), values.std().item(), values.mean().item(), values.numel()]
    numbers = torch.cat([one.weight.detach().reshape(-1), one.bias.detach().reshape(-1)])
    facts["different"] = numbers.unique().numel() / numbers.numel()
    facts["but for the sign"] = numbers.abs().unique().numel() / numbers.numel()
    facts["same seed, same values"] = torch.equal(one.weight, seeded.weight) and torch.equal(one.bias, seeded.bias)
    facts["same again"] = torch.equal(one.weight, two.weight) or torch.equal(one.bias, two.bias)
    return facts


@start_values_are_uniform.judge
def _(facts):
    for name in ("weight", "bias"):
        low, high, spread, mean, count = facts[name]
        if low < -1.0001 or high > 1.0001:
            return f"{name} reaches {max(-low, high):.3f} times 1/sqrt(in_features); it must stay within 1"
        if low > -0.9 or high < 0.9 or abs(spread - 3**-0.5) > 1.6 * count**-0.5 or abs(mean) > 3.5 * count**-0.5:  # six sigma each
            return f"{name} is not spread evenly between -k and k: from {low:.2f} k to {high:.2f} k, spread {spread:.2f} k"
    if facts["different"] < 0.99:
        return f"only {facts['different']:.0%} of the start values differ; every number is drawn anew"
    if facts["but for the sign"] < 0.99:
        return "some start values are others with the sign turned; every number is drawn anew"
    if facts["same again"]:
        return "two layers got the same start values"
    return None if facts["same seed, same values"] else "the same torch.manual_seed gave other start values: draw from torch's global random state"


@check(points=1, kind=["inside"], devices=False)
def no_ready_made_layer_inside(solution, kind):
    """The layer is built from parameters, not from another layer."""
    layer = solution.LinearLayer(3, 2)
    ready = [base.__name__ for base in type(layer).__mro__[1:] if base.__module__.startswith("torch.nn.modules.") and base is not nn.Module]
    ready += [type(m).__name__ for m in layer.modules() if m is not layer]
    return {"inside": ready, "called": called(lambda: raises(lambda: solution.LinearLayer(3, 2)(torch.zeros(1, 3))), *READY_MADE)}


@no_ready_made_layer_inside.judge
def _(seen):
    if seen["inside"]:
        return f"torch's own {seen['inside'][0]} does the work; the point is to build one"
    return f"a ready-made layer is used on the way ({seen['called'][0]}); the point is to build one" if seen["called"] else None
