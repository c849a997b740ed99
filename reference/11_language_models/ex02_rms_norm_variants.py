"""Known mistakes and unusual but correct solutions for RMSNorm and SwiGLU."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Write the two formulas, and mark which axis each sum is over. Which numbers are parameters?",
    "keepdim=True keeps the axis of the mean, so that each vector is divided by its own root. eps is added to the mean, under the root. In SwiGLU, two layers read x, "
    "and silu is applied to one of them.",
    "RMSNorm keeps eps and an nn.Parameter of ones. Square x (in float32 if it has 16 bits), take the mean over the last axis with keepdim, add eps, and multiply x by "
    "rsqrt of that; go back to the dtype of x and multiply by the weight. SwiGLU multiplies F.silu of one layer by the other and calls down.",
)
EQUIVALENT = {
    "change_comparison: exact = x.float() if x.dtype.itemsize <= 4 else x": "float32 stays as it is",
    "change_number: exact = x.float() if x.dtype.itemsize < 5 else x": "float32 stays as it is",
    "change_number: exact = x.float() if x.dtype.itemsize < 3 else x": "no dtype has 3 bytes",
    "wrong_dtype: exact = x.double() if x.dtype.itemsize < 4 else x": "more digits than needed",
    "in_place: normal = exact * torch.rsqrt_(exact.square().mean(dim=-1, keepdim=True) + self.eps)": "the sum is a new tensor",
}

MEAN = "exact.square().mean(dim=-1, keepdim=True)"
NORMAL = "normal = exact * torch.rsqrt(exact.square().mean(dim=-1, keepdim=True) + self.eps)"
LAST = "return normal.to(x.dtype) * self.weight"
GATED = "self.down(F.silu(self.gate(x)) * self.up(x))"


subtracts_the_mean = mistake.edited("exact = x.float() if x.dtype.itemsize < 4 else x",
    "exact = x.float() if x.dtype.itemsize < 4 else x\nexact = exact - exact.mean(dim=-1, keepdim=True)",
    "You subtracted the mean, as layer norm does: RMSNorm doesn't.",
    common=True)

eps_outside_the_root = mistake.edited(NORMAL, "normal = exact / (exact.square().mean(dim=-1, keepdim=True).sqrt() + self.eps)",
    "eps was added to the root: it belongs under the root, to the mean of the squares.",
    common=True)

no_eps = mistake.edited(" + self.eps)", ")",
    "eps has no effect: add it to the mean of the squares.")

eps_by_another_default = mistake.edited("eps: float = 1e-6", "eps: float = 1e-5",
    "Without an argument, eps should be 1e-6.",
    about="the_state_is_that_of_nn_rms_norm")

sum_of_squares = mistake.edited(MEAN, "exact.square().sum(dim=-1, keepdim=True)",
    "You divided by the root of the sum of squares, the length of the vector: take their mean.",
    common=True)

without_the_root = mistake.edited(NORMAL, "normal = exact / (exact.square().mean(dim=-1, keepdim=True) + self.eps)",
    "You divided by the mean square: divide by its root.")

mean_over_everything = mistake.edited(MEAN, "exact.square().mean()",
    "One mean over all numbers of x was taken: each vector along the last axis has its own.",
    common=True,
    pitfall="The mean is over the last axis alone")

mean_over_the_first_axis = mistake.edited(MEAN, "exact.square().mean(dim=0, keepdim=True)",
    "The mean is over the first axis: take it over the last one.")

absolute_values = mistake.edited(NORMAL, "normal = exact / (exact.abs().mean(dim=-1, keepdim=True) + self.eps)",
    "You divided by the mean of the absolute values: take the root of the mean of the squares.")

weight_is_not_used = mistake.edited(LAST, "return normal.to(x.dtype)",
    "The weight has no effect: multiply by it.")

adds_the_weight = mistake.edited(LAST, "return normal.to(x.dtype) + self.weight",
    "The weight was added: multiply by it.")

one_plus_weight = mistake.edited("nn.Parameter(torch.ones(width))", "nn.Parameter(torch.zeros(width))",
    "The weight starts as zeros and 1 is added, as some models do it: here the weight itself is the factor, and it starts as ones.",
    also=[(LAST, "return normal.to(x.dtype) * (1 + self.weight)")])

has_a_bias = mistake.edited("self.weight = nn.Parameter(torch.ones(width))", "self.weight = nn.Parameter(torch.ones(width))\nself.bias = nn.Parameter(torch.zeros(width))",
    "There is a parameter besides weight, so nn.RMSNorm can't load the state: RMSNorm has no bias.",
    also=[(LAST, "return normal.to(x.dtype) * self.weight + self.bias")])

a_plain_tensor = mistake.edited("nn.Parameter(torch.ones(width))", "torch.ones(width)",
    "The weight is no parameter, so it is neither trained nor saved nor moved: wrap it in nn.Parameter.",
    common=True)

squares_in_16_bits = mistake.edited("exact = x.float() if x.dtype.itemsize < 4 else x", "exact = x",
    "In float16 the squares overflow: compute them in float32.",
    about="sixteen_bits_do_not_overflow", common=True)

stays_in_float32 = mistake.edited(LAST, "return normal * self.weight.to(normal.dtype)",
    "With x in 16 bits the result is float32: convert it back to the dtype of x.",
    about="sixteen_bits_do_not_overflow")

always_float32 = mistake.edited("x.float() if x.dtype.itemsize < 4 else x", "x.float()",
    "float64 lost its digits on the way through float32: only 16-bit numbers need to be converted.",
    about="float64_keeps_its_digits", common=True)

no_gradient_through_the_root = mistake.edited("torch.rsqrt(exact.square().mean(dim=-1, keepdim=True) + self.eps)", "torch.rsqrt(exact.square().mean(dim=-1, keepdim=True) + self.eps).detach()",
    "The gradient of x treats the root mean square as a constant: it depends on x, so gradients pass through it, too.",
    about="gradients_pass_the_norm")

uses_nn_rms_norm = mistake.edited(NORMAL, "return F.rms_norm(x, self.weight.shape, self.weight, self.eps)",
    "F.rms_norm does the whole work: build it yourself.",
    forbidden=("F.rms_norm", "nn.RMSNorm"))

silu_of_the_other = mistake.edited(GATED, "self.down(self.gate(x) * F.silu(self.up(x)))",
    "silu was applied to up: it belongs to gate.",
    common=True)

silu_of_the_product = mistake.edited(GATED, "self.down(F.silu(self.gate(x) * self.up(x)))",
    "silu was applied to the product: it belongs to gate alone.",
    common=True,
    pitfall="silu belongs to the gate alone")

sigmoid_gate = mistake.edited("F.silu(self.gate(x))", "self.gate(x).sigmoid()",
    "The gate is a sigmoid, as in GLU: SwiGLU uses silu(z) = z * sigmoid(z).",
    common=True)

gelu_gate = mistake.edited("F.silu(self.gate(x))", "F.gelu(self.gate(x))",
    "The gate is a GELU: SwiGLU uses silu.")

adds_the_branches = mistake.edited(GATED, "self.down(F.silu(self.gate(x)) + self.up(x))",
    "The two layers were added: multiply them.")

silu_of_both = mistake.edited(GATED, "self.down(F.silu(self.gate(x)) * F.silu(self.up(x)))",
    "silu was applied to both layers: it belongs to gate alone.")

adds_x = mistake.edited(GATED, "x + self.down(F.silu(self.gate(x)) * self.up(x))",
    "x was added to the result: the block around the network does that.")

detached_gate = mistake.edited("F.silu(self.gate(x))", "F.silu(self.gate(x)).detach()",
    "No gradient reaches gate, so it never learns: don't detach it, gradients pass through both layers.",
    about="gradients_pass_the_network")

no_up = mistake.edited(GATED, "self.down(F.silu(self.gate(x)))",
    "up has no effect: multiply silu of the gate by it.")


@alternative("RMSNorm")
class WithNorms(nn.Module):
    """The length of the vector, divided by the root of its width."""

    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.full((width,), 1.0)))
        self.epsilon = eps

    def forward(self, x):
        dtype = x.dtype
        if dtype != torch.float64:
            x = x.to(torch.float32)
        length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        root = (length**2 / x.shape[-1] + self.epsilon) ** 0.5
        return (x / root * self.weight).to(dtype)


scales_before_converting = alternative.edited(LAST, "return (normal * self.weight.to(normal.dtype)).to(x.dtype)",
    "The weight multiplies in float32, and the product is rounded once.")

by_pow = alternative.edited(NORMAL, "normal = exact / torch.sqrt(exact.pow(2).sum(-1, True) / exact.size(-1) + self.eps)",
    "A sum, divided by the width.")

silu_by_hand = alternative.edited(GATED, "self.down(self.up(x).mul(self.gate(x)).mul(self.gate(x).sigmoid()))",
    "silu as a product, in another order.")

as_one_product = alternative.edited(GATED, "(F.silu(F.linear(x, self.gate.weight)) * (x @ self.up.weight.t())) @ self.down.weight.mT",
    "Matrix products with the weights.")
