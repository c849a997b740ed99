"""Known mistakes and unusual but correct solutions for make_params."""

import torch
from torch import nn  # noqa: F401 (for an edit)

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print is_leaf of each tensor on its way to the result. Where does it turn False?",
    "Every recorded operation on a tensor that requires grad makes a new tensor that is not a leaf: scaling "
    "does, and so does moving it to another device. The tensor must start to require grad after all of these.",
    "For each name: zeros if it ends in bias, otherwise torch.randn with the generator, times scale. Then "
    "move the values to the device, and as the very last step call requires_grad_().",
)


requires_grad_before_scaling = mistake.edited(
    "generator=generator, dtype=dtype", "generator=generator, dtype=dtype, requires_grad=True",
    "The weights are results of a recorded operation, not leaves. Scale first, and make them require grad last.",
    pitfall="is the result of a multiplication, not a leaf")

capitals_do_not_matter = mistake.edited('name.endswith("bias")', 'name.lower().endswith("bias")',
    "A name that ends in Bias was treated like one that ends in bias: case matters.")

one_draw_for_each_shape = mistake.edited("params = {}", "params, drawn = {}, {}",
    "Two names with the same shape got the same numbers: draw for each name, in the order of the dict.",
    also=[
        ("else:",
        """
        elif shape in drawn:
            values = drawn[shape].clone()
        else:
        """),
        ("values = scale * torch.randn(shape, generator=generator, dtype=dtype)",
        """
        values = scale * torch.randn(shape, generator=generator, dtype=dtype)
        drawn[shape] = values.clone()
        """),
    ])

moved_after_requires_grad = mistake.edited(
    "values.to(device=device).requires_grad_()", "values.requires_grad_().to(device=device)",
    "On another device the results are copies, not leaves: .to(device) is a recorded operation. Move the values first, then "
    "call requires_grad_().")

draws_from_the_global_generator = mistake.edited("generator=generator, ", "",
    "The numbers do not come from the generator that you were given: pass generator=generator to torch.randn.",
    about=("draws_from_the_generator_in_order", "leaves_the_global_random_state_alone"))

seeds_the_global_generator = mistake.edited("params = {}", "torch.manual_seed(generator.initial_seed())\nparams = {}",
    "The random numbers of the whole program changed, and the numbers that the generator had already drawn were "
    "ignored. Draw from the generator itself.",
    also=[("generator=generator, ", "")],
    about=("draws_from_the_generator_in_order", "leaves_the_global_random_state_alone"))

never_requires_grad = mistake.edited(".requires_grad_()", "",
    "These tensors do not require grad, so backward will never fill their .grad: finish with requires_grad_().")

biases_stay_constants = mistake.edited(".requires_grad_()", '.requires_grad_(not name.endswith("bias"))',
    "The biases do not require grad: biases start at zero but are trained too.")

biases_are_random = mistake.edited('if name.endswith("bias"):', "if False:",
    "A bias was drawn like a weight: names that end in bias are zeros and use no random numbers.")

biases_use_up_random_numbers = mistake.edited(
    "torch.zeros(shape, dtype=dtype)", "torch.zeros_like(torch.randn(shape, generator=generator, dtype=dtype))",
    "The biases are zeros, but random numbers were drawn for them, so every later weight is off: check the name before you draw.")

bias_only_after_a_dot = mistake.edited('name.endswith("bias")', 'name.split(".")[-1] == "bias"',
    "A name such as prebias ends in bias, too, and got random numbers: check the end of the whole name.")

only_the_name_bias = mistake.edited('name.endswith("bias")', 'name == "bias"',
    "A name such as layer.bias ends in bias, too, and got random numbers: check how the name ends.")

names_that_begin_with_bias = mistake.edited('name.endswith("bias")', 'name.startswith("bias")',
    "Names that begin with bias were treated as biases: what counts is that the name ends in bias.")

uniform_numbers = mistake.edited("torch.randn(", "torch.rand(",
    "The weights are uniform, never below 0: torch.randn draws from the normal distribution.")

ignores_the_dtype = mistake.edited("torch.zeros(shape, dtype=dtype)", "torch.zeros(shape)",
    "The requested dtype did not reach the tensors: pass dtype=dtype when you draw and when you make the zeros.",
    also=[("generator=generator, dtype=dtype", "generator=generator")])

unpacks_the_shape = mistake.edited("torch.randn(shape,", "torch.randn(*shape,",
    "The shape () has no sizes, so with *shape nothing is left to pass on: give randn and zeros the shape as one tuple.",
    also=[("torch.zeros(shape,", "torch.zeros(*shape,")])

draws_on_the_device = mistake.edited("generator=generator, dtype=dtype)", "generator=generator, dtype=dtype, device=device)",
    "The generator lives on the CPU and can't draw on another device: draw on the CPU, then move the values.")

forgets_the_scale = mistake.edited("scale * torch.randn", "torch.randn",
    "The weights are not scaled: multiply the random numbers by scale.")

sorted_by_name = mistake.edited("shapes.items()", "sorted(shapes.items())",
    "The numbers were drawn in a different order from the dict's: loop over shapes.items() in its order.",
    also=[("return params", "return {name: params[name] for name in shapes}")])

float32_by_default = mistake.edited("params = {}", "dtype = dtype or torch.float32\nparams = {}",
    "Without a dtype, torch's default dtype applies, and a program can change it: pass dtype=None on, which means the default.")

overwrites_global_numbers = mistake.edited("scale * torch.randn(shape, generator=generator, dtype=dtype)",
    "torch.randn(shape, dtype=dtype).normal_(generator=generator).mul_(scale)",
    "torch's global random numbers were used up as well. Draw only from the generator,"
    " or fill torch.empty.")

one_tensor_for_equal_biases = mistake.edited("return params",
    """
    known = {}
    for name, p in params.items():
        if name.endswith("bias"):
            params[name] = known.setdefault(p.shape, p)
    return params
    """,
    "Two results are the same tensor, so training one changes the other: make new zeros for each bias.")

every_name_with_bias_in_it = mistake.edited('name.endswith("bias")', '"bias" in name',
    "A name that only contains the word bias was treated as a bias: check the end of the name.")

biases_of_one_number = mistake.edited(
    "torch.zeros(shape, dtype=dtype)", "torch.zeros((), dtype=dtype, device=device).expand(shape)",
    "A bias was expanded from a single number: all its elements share one memory location, so updating it in place raises "
    "an error. Make zeros of the whole shape.")

wraps_in_parameter = alternative.edited(
    "values.to(device=device).requires_grad_()", "torch.nn.Parameter(values.to(device=device))",
    "Detached values wrapped in nn.Parameter.")


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
