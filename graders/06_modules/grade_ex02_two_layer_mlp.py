"""Hidden checks for TwoLayerMLP."""

import torch
from torch import nn

from torchdojo.grading import Forbidden, check, gradients, size, tensor, upstream, watched

CONCEPTS = ("I01", "I07")

FORBIDS = {"nn.Sequential": "nn.Sequential"}
BECAUSE = "register the layers and write forward yourself"
KEPT = {
    "predicts_what_the_weights_say": "the prediction itself, worth points without gradients",
    "relu_stands_between": "the activation, said by itself",
    "gradients_flow_to_all": "a detached answer has right values; this says so by name",
    "there_is_no_sequential": "what is not allowed, said by name",
    "both_modes_and_every_call_agree": "that chance plays no part, said by itself",
}


class oracle:
    """The same from functions."""

    class TwoLayerMLP(nn.Module):
        def __init__(self, n_in=1, n_hidden=16, n_out=1):
            super().__init__()
            self.fc1, self.fc2 = nn.Linear(n_in, n_hidden), nn.Linear(n_hidden, n_out)

        def forward(self, x):
            return nn.functional.linear(self.fc1(x).clamp(min=0), self.fc2.weight, self.fc2.bias)


def filled(model, device, dtype, all_on=False):
    """The model with weights that depend on their shapes only. What else it holds keeps its values.

    all_on: hidden numbers between 0 and 1 for x between 0 and 1, biases of 0, positive outputs: ReLU changes nothing anywhere."""
    state, there = {}, model.state_dict()
    names = ["fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"]
    names = names if set(names) <= set(there) else list(there)
    for name, p in ((name, there[name]) for name in names):
        numbers = ((torch.arange(p.numel(), dtype=torch.float64) * 5 + 3) % 11 - 5).reshape(p.shape) / 8
        if all_on:
            numbers = (numbers.abs() + 1 / 8) / numbers.shape[-1] if name.endswith("weight") else 0 * numbers
        elif name == "fc1.weight":
            numbers = 4 * numbers  # hidden numbers far from 0
        elif name == "fc1.bias":
            numbers = numbers + 0.003  # no unit is exactly at the kink of ReLU
        elif name == "fc2.bias":
            numbers = numbers - 3  # outputs below 0
        state[name] = numbers
    model.load_state_dict(state, strict=False)
    return model.to(device=device, dtype=dtype)


def small(x):
    """Numbers above 0 and up to 1, made of x: there all hidden units of `filled(..., all_on=True)` are on."""
    return x.abs() / 8 + 1 / 8


@check(
    points=2, x=tensor("... into"), into=size("into"), hidden=size("hidden"), out=size("out"),
    minimum={"into": 1, "hidden": 1, "out": 1},
    examples=[{"x": torch.zeros(0, 2, 3), "into": 3, "hidden": 4, "out": 2}, {"x": torch.ones(1), "into": 1, "hidden": 3, "out": 1}],
)  # fmt: skip
def predicts_what_the_weights_say(solution, x, into, hidden, out, device):
    """With loaded weights the outputs are right, for any sizes and any leading axes."""
    return filled(solution.TwoLayerMLP(into, hidden, out), device, x.dtype, all_on=True)(small(x))


@check(points=2, x=tensor("batch 16"), minimum=1, examples=[{"x": torch.full((1, 16), 2.0**20)}])
def relu_stands_between(solution, x, device):
    """Hidden units below 0 give 0, and all others pass unchanged; outputs may be negative."""
    return filled(solution.TwoLayerMLP(16, 16, 2), device, x.dtype)(x)


@check(points=1, x=tensor("batch 16"), train=[True, False], minimum=1)
def gradients_flow_to_all(solution, x, train, rng, device):
    """Gradients reach x and all four tensors of weights."""
    x.requires_grad_()
    model = filled(solution.TwoLayerMLP(16, 16, 2), device, x.dtype, all_on=True).train(train)
    names = ["fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"]
    weights = dict(model.named_parameters())
    y = model(small(x))
    found = gradients(y, [x, *(weights[name] for name in names)], upstream(y, rng))
    return {f"gradient of {name}": g for name, g in zip(["x", *names], found, strict=True)}


@check(points=2, x=tensor("batch 4"), sizes=[(), (3, 5, 2), (1, 1, 1), (4, 4, 4)], minimum=1, devices=False, beside=True)
def layers_are_registered_under_their_names(solution, x, sizes):
    """fc1 and fc2 are nn.Linear layers, and nothing else is in the state."""
    model = filled(solution.TwoLayerMLP(*sizes), "cpu", x.dtype, all_on=True)
    return model(small(x[:, : (*sizes, 1)[0]])).detach(), {
        "state": sorted(model.state_dict()),
        "learnable": sorted(name for name, _ in model.named_parameters()),
        "layers": [isinstance(model.fc1, nn.Linear), isinstance(model.fc2, nn.Linear)],
        "is a module": isinstance(model, nn.Module),
    }


@check(points=1, x=tensor("batch 16"), minimum=1, allows=("nn.Sequential",))
def there_is_no_sequential(solution, x, device):
    """No nn.Sequential is a submodule, or created in forward."""
    models = []

    def whole():
        models.append(filled(solution.TwoLayerMLP(16, 16, 2), device, x.dtype, all_on=True))
        return models[0](small(x))

    found = watched(whole, "torch.nn.modules.container.forward")  # the other containers have none
    return found.answer, [type(m).__name__ for m in models[0].modules() if isinstance(m, nn.Sequential)] + found.called


@there_is_no_sequential.rule
def _(found):
    return Forbidden("you used nn.Sequential; register the layers and write forward yourself") if found else None


@check(points=1, x=tensor("batch 16"), minimum=1)
def both_modes_and_every_call_agree(solution, x, device):
    """In both modes, every call depends only on x and the weights."""
    model = filled(solution.TwoLayerMLP(16, 16, 2), device, x.dtype, all_on=True)
    x = small(x)
    first = model(x)
    seen = {"again": model(x), "another x": model(x / 2), "in eval mode": model.eval()(x), "first": first}
    with torch.no_grad():
        model.fc1.weight += 1 / 16
    return seen | {"with other weights": model(x)}
