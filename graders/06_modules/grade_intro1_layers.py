"""Hidden checks for make_layer, parameter_shapes and freeze."""

from torch import nn

from torchdojo.grading import check, tensor

CONCEPTS = ("A03", "G27", "I05")


class oracle:
    """PyTorch's own layer, and a walk through the modules one by one."""

    def make_layer(n_in, n_out):
        return nn.Linear(n_in, n_out)

    def parameter_shapes(module):
        return {
            f"{prefix}.{name}".lstrip("."): tuple(p.shape)
            for prefix, part in module.named_modules()
            for name, p in part._parameters.items()
            if p is not None
        }

    def freeze(module):
        for part in module.modules():
            for p in part._parameters.values():
                if p is not None:
                    p.requires_grad_(False)


def model(kind):
    """Modules to look at, by a word."""
    made = {
        "a layer": lambda: nn.Linear(3, 2),
        "a layer without bias": lambda: nn.Linear(2, 5, bias=False),
        "two layers": lambda: nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)),
        "batch norm": lambda: nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)),
    }
    return made[kind]()


KINDS = ["a layer", "a layer without bias", "two layers", "batch norm"]


@check(points=3, x=tensor("rows n_in", dtype="float32"), n_out=[2, 3, 5], minimum=1, devices=False)
def the_layer_has_its_sizes(solution, x, n_out):
    """The layer maps n_in numbers to n_out numbers, with weight and bias."""
    layer = solution.make_layer(x.shape[1], n_out)
    shapes = {name: tuple(p.shape) for name, p in layer.named_parameters()}
    return {"a linear layer": isinstance(layer, nn.Linear), "shape of the result": tuple(layer(x).shape), "parameters": shapes}


@check(points=3, kind=KINDS, devices=False)
def every_parameter_is_named(solution, kind):
    """The result has the name and shape of every parameter, including those of child modules."""
    return {name: tuple(shape) for name, shape in solution.parameter_shapes(model(kind)).items()}


@check(points=3, kind=KINDS, devices=False)
def frozen_parameters_are_constants(solution, kind):
    """After freeze, no parameter requires grad."""
    module = model(kind)
    solution.freeze(module)
    return {name: p.requires_grad for name, p in module.named_parameters()}
