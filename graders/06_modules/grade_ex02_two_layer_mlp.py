"""Hidden checks for TwoLayerMLP."""

import torch
from torch import nn

from torchdojo.grading import called, check, gradients, size, tensor, upstream

CONCEPTS = ("I01", "I07")

KEPT = {
    "predicts_what_the_weights_say": "the prediction itself, worth points without gradients",
    "gradients_flow_to_all": "a detached answer has right values; this says so by name",
    "there_is_no_sequential": "what is not allowed, said by name",
    "both_modes_and_every_call_agree": "that chance plays no part, said by itself",
}


class oracle:
    """The same from nn.Sequential, under other names."""

    class TwoLayerMLP(nn.Module):
        def __init__(self, n_in=1, n_hidden=16, n_out=1):
            super().__init__()
            layers = nn.Sequential(nn.Linear(n_in, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_out))
            self.fc1, self.fc2 = layers[0], layers[2]

        def forward(self, x):
            return nn.functional.linear(self.fc1(x).clamp(min=0), self.fc2.weight, self.fc2.bias)


def filled(model, device, dtype, shift=0.0):
    """The model with weights that depend on their shapes only; the output bias is negative. What else it holds keeps its values."""
    state, there = {}, model.state_dict()
    names = [name for name in ("fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias") if name in there] or list(there)
    for name, p in ((name, there[name]) for name in names):
        state[name] = ((torch.arange(p.numel(), dtype=torch.float64) * 5 + 3) % 11 - 5).reshape(p.shape) / 8 + shift
    if "fc1.weight" in state:
        state["fc1.weight"] = state["fc1.weight"] * 4  # hidden numbers far from 0
    if "fc1.bias" in state:
        state["fc1.bias"] = state["fc1.bias"] + 0.003  # no unit is exactly at the kink of ReLU
    if "fc2.bias" in state:
        state["fc2.bias"] = state["fc2.bias"] - 3
    model.load_state_dict(state, strict=False)
    return model.to(device=device, dtype=dtype)


@check(
    points=3, x=tensor("... into"), into=size("into"), hidden=size("hidden"), out=size("out"),
    minimum={"into": 1, "hidden": 1, "out": 1},
    examples=[
        {"x": torch.full((1,), 2.0**20), "into": 1, "hidden": 3, "out": 1}, {"x": torch.zeros(0, 2, 3), "into": 3, "hidden": 4, "out": 2},
    ],
)  # fmt: skip
def predicts_what_the_weights_say(solution, x, into, hidden, out, device):
    """With loaded weights the outputs are right, negative ones too."""
    return filled(solution.TwoLayerMLP(into, hidden, out), device, x.dtype)(x)


@check(points=2, x=tensor("batch into"), into=size("into"), hidden=size("hidden"), out=size("out"), train=[True, False], minimum=1)
def gradients_flow_to_all(solution, x, into, hidden, out, train, rng, device):
    """Gradients reach x and all four tensors of weights."""
    x.requires_grad_()
    model = filled(solution.TwoLayerMLP(into, hidden, out), device, x.dtype).train(train)
    names = ["fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"]
    weights = dict(model.named_parameters())
    y = model(x)
    found = gradients(y, [x, *(weights[name] for name in names)], upstream(y, rng))
    return {f"gradient of {name}": g for name, g in zip(["x", *names], found, strict=True)}


@check(points=2, sizes=[(), (3, 5, 2), (1, 1, 1), (4, 4, 4)], devices=False)
def layers_are_registered_under_their_names(solution, sizes):
    """fc1 and fc2 are nn.Linear layers, and nothing else is in the state."""
    model = solution.TwoLayerMLP(*sizes)
    return {
        "state": {name: tuple(t.shape) for name, t in sorted(model.state_dict().items())},
        "learnable": sorted(name for name, _ in model.named_parameters()),
        "layers": [isinstance(model.fc1, nn.Linear), isinstance(model.fc2, nn.Linear)],
        "is a module": isinstance(model, nn.Module),
    }


@check(points=1, kind=["modules"], devices=False)
def there_is_no_sequential(solution, kind):
    """No nn.Sequential is among the parts, or made on the way."""
    model = solution.TwoLayerMLP()
    used = called(lambda: model(torch.zeros(1, 1)), "torch.nn.modules.container.forward")  # the other containers have none
    return [type(m).__name__ for m in model.modules() if isinstance(m, nn.Sequential)] + used


@there_is_no_sequential.judge
def _(found):
    return "nn.Sequential was used; the point is to register the parts and to write forward yourself" if found else None


@check(points=1, x=tensor("batch 3"), minimum=1)
def both_modes_and_every_call_agree(solution, x, device):
    """Both modes and every call give what x and the weights say."""
    model = filled(solution.TwoLayerMLP(3, 4, 2), device, x.dtype, shift=0.25)
    first = model(x)
    seen = {"again": model(x), "another x": model(x + 1), "in eval mode": model.eval()(x), "first": first}
    with torch.no_grad():
        model.fc1.weight += 1
    return seen | {"with other weights": model(x)}
