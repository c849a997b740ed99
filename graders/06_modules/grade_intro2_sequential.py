"""Hidden checks for make_mlp and layer_outputs."""

import torch
from torch import nn

from torchdojo.grading import check, tensor

CONCEPTS = ("I06", "I07")


class oracle:
    """The modules in a dict, and hooks that note what each of them returns."""

    def make_mlp(n_in, n_hidden, n_out):
        model = nn.Sequential()
        for name, module in {"0": nn.Linear(n_in, n_hidden), "1": nn.ReLU(), "2": nn.Linear(n_hidden, n_out)}.items():
            model.add_module(name, module)
        return model

    def layer_outputs(model, x):
        found = []
        hooks = [module.register_forward_hook(lambda _, args, result: found.append(result)) for module in model]
        model(x)
        for hook in hooks:
            hook.remove()
        return found


def filled(model):
    """Known weights, for the same results on both sides."""
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
    return model


def network(kind, width, like):
    """A model that takes rows of `width` numbers, on the device of a tensor and in its dtype."""
    made = {
        "one module": [nn.Linear(width, 2)],
        "three modules": [nn.Linear(width, 4), nn.ReLU(), nn.Linear(4, 2)],
        "five modules": [nn.Tanh(), nn.Linear(width, 3), nn.ReLU(), nn.Linear(3, 3), nn.Sigmoid()],
    }
    return filled(nn.Sequential(*made[kind])).to(like.device, like.dtype)


@check(points=3, x=tensor("rows n_in", dtype="float32"), sizes=[(4, 2), (2, 5), (6, 1)], minimum=1, devices=False)
def the_network_has_its_layers(solution, x, sizes):
    """The network is a linear layer, ReLU and a linear layer, with the requested sizes."""
    model = filled(solution.make_mlp(x.shape[1], *sizes))
    found = {"an nn.Sequential": isinstance(model, nn.Sequential), "parameters": {n: tuple(p.shape) for n, p in model.named_parameters()}}
    return found | {"result": model(x)}


@check(points=3, x=tensor("rows width"), kind=["one module", "three modules", "five modules"], minimum=1)
def each_module_has_a_result(solution, x, kind):
    """The results of the modules come in order, each computed from the previous result."""
    return solution.layer_outputs(network(kind, x.shape[1], x), x)
