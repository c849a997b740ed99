"""Hidden checks for RMSNorm and SwiGLU: formulas, gradients, states, 16 bits, float64."""

import torch
from torch import nn

from torchdojo.grading import check, default_dtype, gradients, tensor, upstream

CONCEPTS = ("L17",)

KEPT = {
    "vectors_are_divided_by_their_root_mean_square": "the definition, worth points without its gradients",
    "the_gate_multiplies": "the definition, worth points without its gradients",
}

OWN = {"aten.*rms_norm*": "torch's own rms_norm", "nn.RMSNorm": "nn.RMSNorm", "functional.rms_norm": "F.rms_norm"}
BUILD = "the point is to build it"


class oracle:
    """The formulas, one vector's sum of squares and one exponential after the other, in float64 if x has 16 bits."""

    class RMSNorm(nn.Module):
        def __init__(self, width, eps=1e-6):
            super().__init__()
            self.weight, self.eps, self.width = nn.Parameter(torch.ones(width)), eps, width

        def forward(self, x):
            exact = x.double() if x.dtype in (torch.float16, torch.bfloat16) else x
            squares = sum(exact[..., i] ** 2 for i in range(self.width))
            return (exact / ((squares / self.width + self.eps) ** 0.5)[..., None] * self.weight).to(x.dtype)

    class SwiGLU(nn.Module):
        def __init__(self, width, hidden):
            super().__init__()
            self.gate, self.up, self.down = (nn.Linear(*sizes, bias=False) for sizes in ((width, hidden), (width, hidden), (hidden, width)))

        def forward(self, x):
            gate = x @ self.gate.weight.T
            return gate / (1 + (-gate).exp()) * (x @ self.up.weight.T) @ self.down.weight.T


def filled(module, x):
    """The module with weights that depend on their places alone."""
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_((((torch.arange(p.numel()) * 5 + 3 * k) % 7 - 2.5) / 4).reshape(p.shape))
    return module.to(x)


X = tensor("... width")
LEAST = {"width": 1}
ABOUT = (1e-5, 1e-6)  # what float32 gives; all digits of float64 are for the star


@check(points=2, x=X, eps=[1e-6, 0.5, 8.0], minimum=LEAST, tolerance=ABOUT, forbids=OWN, because=BUILD)
def vectors_are_divided_by_their_root_mean_square(solution, x, eps):
    """Each vector is divided by its root mean square, with eps under the root, and scaled."""
    return filled(solution.RMSNorm(x.shape[-1], eps), x)(x).detach()


@check(points=1, x=X, minimum=LEAST, tolerance=ABOUT, forbids=OWN, because=BUILD)
def gradients_pass_the_norm(solution, x, rng):
    """Gradients reach x, also through the root mean square, and the weight."""
    x, norm = x.requires_grad_(), filled(solution.RMSNorm(x.shape[-1], 0.5), x)
    y = norm(x)
    found = gradients(y, [x, norm.weight], upstream(y, rng))
    return {"gradient of x": found[0], "gradient of weight": found[1]}


@check(points=1, width=[3, 1], devices=False, forbids=OWN, because=BUILD, allows=("nn.RMSNorm",))
def the_state_is_that_of_nn_rms_norm(solution, width):
    """weight starts as ones, eps is 1e-6, and nn.RMSNorm can load the state, with one result."""
    module, other = solution.RMSNorm(width), nn.RMSNorm(width, eps=1e-6)
    other.load_state_dict(module.state_dict())
    with default_dtype(torch.float64):
        dtype = solution.RMSNorm(width).weight.dtype
    tiny = module(torch.full((width,), 0.001)).detach()
    return {"state": dict(module.state_dict()), "trained": [p.requires_grad for p in module.parameters()], "default dtype": dtype, "small numbers": tiny}


@check(
    points=1, star=True, x=tensor("batch width", low=1), factor=[128.0, 1.0], dtype=[torch.float16, torch.bfloat16],
    minimum={"batch": 1, "width": 2}, tolerance=(2e-2, 2e-2), forbids=OWN, because=BUILD,
)  # fmt: skip
def sixteen_bits_do_not_overflow(solution, x, factor, dtype):
    """With x in 16 bits, the squares are computed in float32, and the result has the dtype of x."""
    norm = solution.RMSNorm(x.shape[-1]).to(device=x.device, dtype=dtype)
    return norm((x * factor).to(dtype)).detach()


@check(points=1, star=True, x=X, minimum=LEAST, dtypes=("float64",), forbids=OWN, because=BUILD)
def float64_keeps_its_digits(solution, x):
    """With x in float64, the result is right to more than seven digits."""
    return filled(solution.RMSNorm(x.shape[-1], 0.5), x)(x).detach()


HIDDEN = [3, 1, 5]


@check(points=3, x=X, hidden=HIDDEN, minimum=LEAST)
def the_gate_multiplies(solution, x, hidden):
    """silu of the gate is multiplied by the other layer, and the product goes through the last one."""
    return filled(solution.SwiGLU(x.shape[-1], hidden), x)(x).detach()


@check(points=1, x=X, hidden=HIDDEN, minimum=LEAST)
def gradients_pass_the_network(solution, x, hidden, rng):
    """Gradients reach x and all three weights."""
    x, network = x.requires_grad_(), filled(solution.SwiGLU(x.shape[-1], hidden), x)
    y = network(x)
    found = gradients(y, [x, *(part.weight for part in (network.gate, network.up, network.down))], upstream(y, rng))
    return dict(zip(("gradient of x", "gradient of gate", "gradient of up", "gradient of down"), found, strict=True))
