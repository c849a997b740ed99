"""Hidden checks for LayerNorm."""

import torch
from torch import nn

from torchdojo.grading import built, check, default_dtype, gradients, raises, small_steps, upstream

CONCEPTS = ("I17",)

KEPT = {
    "normalises_the_last_axes": "the definition itself, worth points without gradients",
    "modes_and_examples_do_not_matter": "each example alone, in both modes: the point of the layer, said by itself",
}

FORBIDS = {
    "aten.*layer_norm*": "PyTorch's own layer_norm",
    "nn.LayerNorm": "nn.LayerNorm",
    small_steps(): "a ready-made function",
}
BECAUSE = "the point is to build it"


class oracle:
    """nn.LayerNorm, which refuses other shapes with a RuntimeError."""

    class LayerNorm(nn.LayerNorm):
        def __init__(self, normalized_shape, eps=1e-5, affine=True):
            super().__init__(normalized_shape, eps=eps, elementwise_affine=affine)

        def forward(self, x):
            if tuple(x.shape[-len(self.normalized_shape) :]) != tuple(self.normalized_shape):
                raise ValueError("other last axes")
            # the definition: nn.LayerNorm's own kernel is off by up to 1e-4 in float32 where an axis has size 1
            dims = tuple(range(-len(self.normalized_shape), 0))
            centred = x - x.mean(dims, keepdim=True)
            normal = centred / ((centred**2).mean(dims, keepdim=True) + self.eps) ** 0.5
            return normal if self.weight is None else normal * self.weight + self.bias


def filled(module, device, dtype):
    """The module with weights that are not ones and zeros."""
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_(((torch.arange(p.numel()) * 3 + k) % 5 - 1.5).reshape(p.shape))
    return module.to(device=device, dtype=dtype)


SHAPES = [4, (3,), (2, 3), [3, 2], (2, 1, 3), 1, (1, 1)]


def example(case):
    """(leading axes, values for up to 30 numbers an example): cut to shape in the check."""
    return case.tensor([*case.lead, 30])


def cut(x, shape):
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    count = 1
    for n in sizes:
        count *= n
    return x[..., :count].reshape(*x.shape[:-1], *sizes)


@check(points=3, x=built(example, "..."), minimum=1, shape=SHAPES, eps=[1e-5, 0.3], tolerance=(1e-5, 1e-5))
def normalises_the_last_axes(solution, x, shape, eps, device):
    """Each example is normalized over its last axes, scaled and shifted."""
    return filled(solution.LayerNorm(shape, eps), device, x.dtype)(cut(x, shape))


@check(points=1, x=built(example, "..."), minimum=1, shape=[4, (2, 3), 1], tolerance=(1e-5, 1e-5))
def without_weights(solution, x, shape, device):
    """With affine=False nothing is scaled or shifted, and there is nothing to save."""
    module, x = solution.LayerNorm(shape, affine=False).to(device=device, dtype=x.dtype), cut(x, shape).clone()
    x[..., 0] += 40  # no variance is between 0 and 100: where eps belongs is tested by another check
    return {"result": module(x), "state": list(module.state_dict()), "weight and bias are None": [module.weight is None, module.bias is None]}


@check(points=2, x=built(example, "..."), minimum=1, shape=[4, (2, 3), (3, 1)], training=[True, False], dtypes=("float64",))
def gradients_are_exact(solution, x, shape, training, rng, device):
    """Gradients reach x, weight and bias, also through mean and variance; in float64 all digits count."""
    x = cut(x, shape).detach().clone().requires_grad_()
    module = filled(solution.LayerNorm(shape, eps=0.1), device, x.dtype).train(training)
    y = module(x)
    found = [y.detach(), *gradients(y, [x, module.weight, module.bias], upstream(y, rng))]
    new = solution.LayerNorm(shape, eps=0.1).to(device=device, dtype=x.dtype).train(training)
    y = new(x)
    start = gradients(y, [new.weight, new.bias], upstream(y, rng))
    return {
        "result": found[0], "gradient of x": found[1], "gradient of weight": found[2], "gradient of bias": found[3],
        "gradient of weight at its start": start[0], "gradient of bias at its start": start[1],
    }  # fmt: skip


@check(points=2, star=True, shapes=[(3, (2, 1)), (3, (3, 4)), ((2, 3), (4, 3)), ((2, 3), (3,)), ((2, 3), (3, 2)), (4, (4, 1)), (2, (2, 2))], affine=[True, False])
def other_last_axes_are_refused(solution, shapes, affine, device):
    """Last axes that differ from normalized_shape raise ValueError, even where broadcasting works."""
    module = solution.LayerNorm(shapes[0], affine=affine).to(device)
    return raises(lambda: module(torch.ones(shapes[1], device=device)))


@check(points=1, shape=[4, (2, 3), [5]], devices=False, allows=("nn.LayerNorm",))
def state_is_that_of_layer_norm(solution, shape):
    """weight starts as ones and bias as zeros; nn.LayerNorm can load the state."""
    module = solution.LayerNorm(shape)
    other = nn.LayerNorm(shape)
    other.load_state_dict(module.state_dict())
    solution.LayerNorm(shape).load_state_dict(other.state_dict())
    with default_dtype(torch.float64):
        dtypes = [p.dtype for p in solution.LayerNorm(shape).parameters()]
    seen = {"dtypes where float64 is the default": dtypes}
    return seen | {"state": dict(sorted(module.state_dict().items())), "learnable": [isinstance(p, nn.Parameter) for p in module.parameters()]}


@check(points=1, x=built(example, "..."), minimum=1, tolerance=(1e-5, 1e-5))
def modes_and_examples_do_not_matter(solution, x, device):
    """Eval mode gives the same result, and each example is normalized separately."""
    x = cut(x, 6)
    module = filled(solution.LayerNorm(6), device, x.dtype)
    first = module(x)
    eight = filled(solution.LayerNorm(8), "cpu", x.dtype)(torch.arange(8.0).to(x.dtype) / 8 + 512)  # all sums of these are exact
    # rolled: x and 2 * x + 1 have nearly the same result
    seen = {"training": first, "eval": module.eval()(x), "another x": module(2 * x.roll(1, -1) + 1), "doubled batch": module(torch.stack([x, x + 5]))}
    close = filled(solution.LayerNorm(4, eps=0.0), "cpu", x.dtype)(torch.arange(4.0).to(x.dtype) / 1024)
    return seen | {"x far from 0": eight, "x close together, without eps": close, "weights frozen": module.requires_grad_(False)(x)}
