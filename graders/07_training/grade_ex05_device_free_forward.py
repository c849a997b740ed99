"""Hidden checks for PositionalMLP.forward."""

import torch
from torch import nn

from torchdojo.grading import check, default_dtype, gradients, tensor, upstream

CONCEPTS = ("F03", "F04")

KEPT = {
    "follows_the_formula": "the formula itself, worth points on the CPU in float32",
    "gradients_reach_everything": "a detached answer has right values; this says so by name",
    "float64_keeps_its_digits": "says that the dtype of the positions is the trouble",
    "works_in_sixteen_bits": "says that the 16-bit dtypes are the trouble, and goes to the promised 256 steps",
    "does_not_ask_the_default_dtype": "says that the default dtype is the trouble",
    "follows_the_model_to_another_device": "the point of the exercise, worth points of its own",
    "may_be_built_anywhere": "tells a device that was noted at birth from one that was guessed",
}


class oracle:
    """One step of the sequence after the other, with its position as a Python number."""

    class PositionalMLP(nn.Module):
        def __init__(self, features, hidden):
            super().__init__()
            self.fc1 = nn.Linear(features + 1, hidden)
            self.fc2 = nn.Linear(hidden, features)

        def forward(self, x):
            results = []
            for t in range(x.shape[1]):
                step = x[:, t]
                position = torch.full_like(step[:, :1], t / x.shape[1])
                hidden = self.fc1(torch.cat([step, position], dim=1))
                results.append(self.fc2(hidden.clamp(min=0)))
            return torch.stack(results, dim=1) if results else x * 1.0


def filled(model, seen="all"):
    """The same model with weights that depend on nothing but their place.

    seen: what the result shows. "all"; "position", and not in which column it stands: all columns of fc1 are alike; "features", if
    they are equal (`level`), and not the position: the outer columns of fc1 are 0 and all hidden units are on. What is wrong with the
    formula, or with the order, is tested by another check."""
    with torch.no_grad():
        for k, (_, p) in enumerate(sorted(model.named_parameters())):
            values = torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin()
            p.copy_(values.reshape(p.shape))
        if seen == "position":
            model.fc1.weight.copy_(model.fc1.weight[:, :1].expand_as(model.fc1.weight))
        if seen == "features":
            model.fc1.weight[:, 0] = 0
            model.fc1.weight[:, -1] = 0
            model.fc1.bias += 16
    return model


def made(solution, features, hidden=5, seen="features"):
    return filled(solution.PositionalMLP(features, hidden), seen)


def level(x):
    """x with the first feature in the place of all."""
    return x[..., :1].expand_as(x)


def noted(model):
    """The attributes that were set on the module, without those every module has."""
    return {name: repr(value) for name, value in vars(model).items() if name not in vars(nn.Module())}


def brief(y):
    """Device, dtype and shape; all that can be known on the device meta."""
    return {"device": y.device.type, "dtype": y.dtype, "shape": tuple(y.shape)}


def weight_gradients(model, y, upstream_gradient):
    names = [name for name, _ in model.named_parameters()]
    return dict(zip(names, gradients(y, list(model.parameters()), upstream_gradient, retain_graph=True), strict=True))


@check(points=2, x=tensor("batch steps features"), minimum=1, dtypes=("float32",), devices=False)
def follows_the_formula(solution, x):
    """Each step goes through both layers together with its position."""
    model = made(solution, x.shape[2], seen="all").to(x.device, x.dtype)
    return {"result": model(x), "result for 49 steps": model(x[:1, :1].expand(1, 49, x.shape[2]))}  # 49 * (1 / 49) is less than 1


# A gradient is a sum over all steps, and much of it cancels: the gap measured over 40 seeds is a quarter of this tolerance.
@check(
    points=1, x=tensor("batch steps 3"), training=[True, False], minimum=1, dtypes=("float32",), devices=False,
    tolerance=(2e-4, 2e-4),
)  # fmt: skip
def gradients_reach_everything(solution, x, training, rng):
    """Gradients reach x and the parameters, in both modes."""
    model = made(solution, 3).to(x.device, x.dtype).train(training)
    x.requires_grad_()
    y = model(level(x))
    given = upstream(y, rng)
    found = {"gradient of x": gradients(y, [x], given, retain_graph=True)[0]}
    return found | {"gradients of the weights": plainly(weight_gradients(model, y, given))}


def plainly(found):
    """The gradients, except those of the outer columns, which depend on the position."""
    return {name: g[:, 1:-1] if name == "fc1.weight" and g is not None else g for name, g in found.items()}


@check(points=1, star=True, x=tensor("2 steps 3"), minimum=1, dtypes=("float64",), devices=False)
def float64_keeps_its_digits(solution, x):
    """A float64 model keeps all digits of its positions."""
    return made(solution, 3, seen="position").to(x.dtype)(x)


# Right solutions round positions and sums in other places: measured gap less than a third of this tolerance (bfloat16).
@check(
    points=1, star=True, x=tensor("2 1 3", low=-1, high=1), dtype=["float16", "bfloat16"], minimum=1, tolerance=(0.03, 0.05), devices=False
)
def works_in_sixteen_bits(solution, x, dtype):
    """A 16-bit model gives a 16-bit result."""
    dtype = getattr(torch, dtype)
    model = made(solution, 3, seen="position").to(x.device, dtype)
    return {"result for 256 steps": model(x.to(dtype).expand(2, 256, 3))[:, ::15]}


@check(points=1, star=True, x=tensor("2 7 3"), default=["float64", "float32", "float16"], dtypes=("float32",), devices=False)
def does_not_ask_the_default_dtype(solution, x, default):
    """The result is the same whatever PyTorch's default dtype is."""
    model = made(solution, 3).to(x.device, x.dtype)
    with default_dtype(getattr(torch, default)):
        return model(level(x))


@check(points=2, x=tensor("batch 7 3"), lengths=[(4, 7), (7, 3), (1, 600), (5, 2, 5)], minimum=1, devices=False)
def forgets_the_input_before(solution, x, lengths):
    """Length and dtype may change from call to call, and the module keeps nothing from a call."""
    model = made(solution, 3).to(x.device, x.dtype)
    long, buffers, before, found = level(x).repeat(1, 86, 1), dict(model.named_buffers()), noted(model), {}
    for turn, steps in enumerate(lengths):
        other = torch.float32 if turn % 2 else torch.float64
        found[f"call {turn + 1}, {steps} steps"] = model.to(other)(long[:, :steps].to(other))
    found |= {
        "entries of the state_dict": list(model.state_dict()),
        "new or resized buffers": [k for k, b in model.named_buffers() if k not in buffers or b.shape != buffers[k].shape],
    }
    return found | {"new or changed attributes": sorted(k for k, text in noted(model).items() if before.get(k) != text)}


@check(points=3, x=tensor("2 steps 3"), minimum=1, dtypes=("float32",), about_device=True)
def follows_the_model_to_another_device(solution, x, device):
    """After model.to(...), the positions are created on the device of the next input."""
    model, x = made(solution, 3).to(x.dtype), level(x)
    there = x.cpu()
    found = {"on the CPU": model(there), "on the other device": model.to(device)(x)}
    found |= {"the weights are on": str(model.fc1.weight.device), "back on the CPU": model.to("cpu")(there)}
    return found | {"on meta": brief(model.to("meta")(there.to("meta")))}


@check(points=1, star=True, x=tensor("2 steps 3", dtype="float32"), minimum=1, about_device=True)
def may_be_built_anywhere(solution, x, device):
    """The layer may be built on one device and run on another."""
    x = level(x)
    with torch.device("meta"):
        empty = solution.PositionalMLP(3, 5)
    found = {"on meta": brief(empty.to(x.dtype)(x.to("meta")))}
    empty.to_empty(device=device)
    for name, buffer in solution.PositionalMLP(3, 5).named_buffers():  # to_empty left them to chance
        owner, _, last = name.rpartition(".")
        empty.get_submodule(owner)._buffers[last] = buffer.to(device)
    found["built on meta, moved"] = filled(empty, "features")(x)
    with torch.device(device):
        model = made(solution, 3).to(x.dtype)
    return found | {"built on the device": model(x), "then on the CPU": model.cpu()(x.cpu())}
