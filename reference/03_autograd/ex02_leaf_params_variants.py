"""Known mistakes and odd-but-correct solutions for make_params."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print is_leaf of each tensor on its way to the result. Where does it turn False?",
    "Every recorded operation on a tensor that requires grad makes a new tensor that is not a leaf: scaling "
    "does, and so does moving it to another device. The tensor must start to require grad after all of these.",
    "For each name: zeros if it ends in bias, otherwise torch.randn with the generator, times scale. Then "
    "move the values to the device, and as the very last step call requires_grad_().",
)


def build(shapes, generator, scale, dtype, device, *, draw=None, finish=None):
    """Build the dict with one step exchanged."""
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            values = torch.zeros(shape, dtype=dtype)
        elif draw is not None:
            values = draw(name, shape)
        else:
            values = scale * torch.randn(shape, generator=generator, dtype=dtype)
        params[name] = finish(values) if finish is not None else values.to(device or "cpu").requires_grad_()
    return params


@mistake("make_params")
def requires_grad_before_scaling(shapes, generator, scale=0.1, dtype=None, device=None):
    """The scaled tensors are results of a multiplication, not leaves: scale first, then call
    requires_grad_()."""
    params = {}
    for name, shape in shapes.items():
        if name.endswith("bias"):
            params[name] = torch.zeros(shape, dtype=dtype, device=device, requires_grad=True)
        else:
            values = torch.randn(shape, generator=generator, dtype=dtype, requires_grad=True) * scale
            params[name] = values.to(device or "cpu")
    return params


@mistake("make_params")
def capitals_do_not_matter(shapes, generator, scale=0.1, dtype=None, device=None):
    """A name that ends in Bias was treated like one that ends in bias: case matters."""

    def draw(name, shape):
        found = torch.zeros(shape, dtype=dtype) if name.lower().endswith("bias") else torch.randn(shape, generator=generator, dtype=dtype)
        return scale * found

    return build(shapes, generator, scale, dtype, device, draw=draw)


@mistake("make_params")
def one_draw_for_each_shape(shapes, generator, scale=0.1, dtype=None, device=None):
    """Two names with the same shape got the same numbers: draw for each name, in the order of the dict."""
    drawn = {}

    def draw(name, shape):
        if shape not in drawn:
            drawn[shape] = scale * torch.randn(shape, generator=generator, dtype=dtype)
        return drawn[shape].clone()

    return build(shapes, generator, scale, dtype, device, draw=draw)


@mistake("make_params")
def moved_after_requires_grad(shapes, generator, scale=0.1, dtype=None, device=None):
    """On another device the results are copies, not leaves: .to(device) is a recorded operation. Move the
    values first, then call requires_grad_()."""
    return build(
        shapes,
        generator,
        scale,
        dtype,
        device,
        finish=lambda values: values.requires_grad_().to(device or "cpu"),
    )


@mistake("make_params")
def draws_from_the_global_generator(shapes, generator, scale=0.1, dtype=None, device=None):
    """The numbers do not come from the generator that you were given: pass generator=generator to
    torch.randn."""
    return build(
        shapes,
        generator,
        scale,
        dtype,
        device,
        draw=lambda name, shape: scale * torch.randn(shape, dtype=dtype),
    )


@mistake("make_params")
def seeds_the_global_generator(shapes, generator, scale=0.1, dtype=None, device=None):
    """torch.manual_seed changes the random numbers of the whole program, and ignores how many numbers the generator
    has already drawn: draw from the generator itself."""
    torch.manual_seed(generator.initial_seed())
    return build(
        shapes,
        generator,
        scale,
        dtype,
        device,
        draw=lambda name, shape: scale * torch.randn(shape, dtype=dtype),
    )


@mistake("make_params")
def never_requires_grad(shapes, generator, scale=0.1, dtype=None, device=None):
    """These tensors do not require grad, so backward will never fill their .grad: finish with
    requires_grad_()."""
    return build(shapes, generator, scale, dtype, device, finish=lambda values: values.to(device or "cpu"))


@mistake("make_params")
def biases_stay_constants(shapes, generator, scale=0.1, dtype=None, device=None):
    """The biases do not require grad: biases start at zero but are trained too."""
    params = build(shapes, generator, scale, dtype, device)
    return {name: p.detach() if name.endswith("bias") else p for name, p in params.items()}


@mistake("make_params")
def biases_are_random(shapes, generator, scale=0.1, dtype=None, device=None):
    """A bias was drawn like a weight: names that end in bias are zeros and use no random numbers."""
    params = {}
    for name, shape in shapes.items():
        values = scale * torch.randn(shape, generator=generator, dtype=dtype)
        params[name] = values.to(device or "cpu").requires_grad_()
    return params


@mistake("make_params")
def biases_use_up_random_numbers(shapes, generator, scale=0.1, dtype=None, device=None):
    """The biases are zeros, but random numbers were drawn for them, so every later weight is off: check the name
    before you draw."""
    params = {}
    for name, shape in shapes.items():
        values = scale * torch.randn(shape, generator=generator, dtype=dtype)
        if name.endswith("bias"):
            values = torch.zeros_like(values)
        params[name] = values.to(device or "cpu").requires_grad_()
    return params


@mistake("make_params")
def bias_only_after_a_dot(shapes, generator, scale=0.1, dtype=None, device=None):
    """A name such as prebias ends in bias, too, and got random numbers: check the end of the whole name."""
    params = {}
    for name, shape in shapes.items():
        bias = name.split(".")[-1] == "bias"
        values = torch.zeros(shape, dtype=dtype) if bias else scale * torch.randn(shape, generator=generator, dtype=dtype)
        params[name] = values.to(device or "cpu").requires_grad_()
    return params


@mistake("make_params")
def uniform_numbers(shapes, generator, scale=0.1, dtype=None, device=None):
    """torch.rand gives numbers between 0 and 1, never a negative one: randn is the normal distribution."""
    return build(
        shapes,
        generator,
        scale,
        dtype,
        device,
        draw=lambda name, shape: scale * torch.rand(shape, generator=generator, dtype=dtype),
    )


@mistake("make_params")
def ignores_the_dtype(shapes, generator, scale=0.1, dtype=None, device=None):
    """The requested dtype did not reach the tensors: pass dtype=dtype when you draw and when you make the zeros."""
    return build(shapes, generator, scale, None, device)


@mistake("make_params")
def sorted_by_name(shapes, generator, scale=0.1, dtype=None, device=None):
    """The numbers were drawn in a different order from the dict's: loop over shapes.items() in its order."""
    drawn = build(dict(sorted(shapes.items())), generator, scale, dtype, device)
    return {name: drawn[name] for name in shapes}


@mistake("make_params")
def float32_by_default(shapes, generator, scale=0.1, dtype=None, device=None):
    """Without a dtype, torch's default dtype applies, and a program can change it: pass dtype=None on, which means
    the default."""
    return build(shapes, generator, scale, dtype or torch.float32, device)


@mistake("make_params")
def overwrites_global_numbers(shapes, generator, scale=0.1, dtype=None, device=None):
    """torch's global random numbers were used up: the tensor was filled by torch.randn without a generator
    first, and then again. Start from torch.empty."""
    return build(
        shapes,
        generator,
        scale,
        dtype,
        device,
        draw=lambda name, shape: torch.randn(shape, dtype=dtype).normal_(generator=generator).mul_(scale),
    )


@mistake("make_params")
def one_tensor_for_equal_biases(shapes, generator, scale=0.1, dtype=None, device=None):
    """Two results are the same tensor, so training one changes the other: make new zeros for each bias."""
    params, known = build(shapes, generator, scale, dtype, device), {}
    for name, p in params.items():
        if name.endswith("bias"):
            params[name] = known.setdefault(p.shape, p)
    return params


@mistake("make_params")
def every_name_with_bias_in_it(shapes, generator, scale=0.1, dtype=None, device=None):
    """A name that only contains the word bias was treated as a bias: check the end of the name."""
    params = {}
    for name, shape in shapes.items():
        values = torch.zeros(shape, dtype=dtype)
        if "bias" not in name:
            values = scale * torch.randn(shape, generator=generator, dtype=dtype)
        params[name] = values.to(device or "cpu").requires_grad_()
    return params


@mistake("make_params")
def biases_of_one_number(shapes, generator, scale=0.1, dtype=None, device=None):
    """A bias was expanded from a single number: all its elements share one memory location, so no optimizer can
    update them. Make zeros of the whole shape."""
    params = build(shapes, generator, scale, dtype, device)
    for name in params:
        if name.endswith("bias"):
            params[name] = torch.zeros((), dtype=params[name].dtype, device=device or "cpu").expand(shapes[name]).requires_grad_()
    return params




@alternative("make_params")
def wraps_in_parameter(shapes, generator, scale=0.1, dtype=None, device=None):
    """Detached values wrapped in nn.Parameter."""
    return build(
        shapes,
        generator,
        scale,
        dtype,
        device,
        finish=lambda values: nn.Parameter(values.to(device if device is not None else "cpu")),
    )


@alternative("make_params")
def fills_empty_tensors(shapes, generator, scale=0.1, dtype=None, device=None):
    """Empty leaves on the device are filled with recording off."""
    dtype = dtype or torch.get_default_dtype()
    params = {}
    with torch.no_grad():
        for name in shapes:
            leaf = torch.empty(shapes[name], dtype=dtype, device=device or "cpu", requires_grad=True)
            if name[-4:] == "bias":
                leaf.zero_()
            else:
                values = torch.empty(shapes[name], dtype=dtype).normal_(generator=generator)
                leaf.copy_(values.mul_(scale))
            params[name] = leaf
    return params


@alternative("make_params")
def cuts_afterwards(shapes, generator, scale=0.1, dtype=None, device=None):
    """Requires grad early, then cuts the history off and asks again."""
    params = {}
    for name, shape in shapes.items():
        size = tuple(shape)
        early = torch.zeros(size, dtype=dtype, requires_grad=True)
        if not name.endswith("bias"):
            early = early + torch.randn(size, generator=generator, dtype=dtype) * scale
        params[name] = early.to("cpu" if device is None else device).detach().clone().requires_grad_(True)
    return params
