"""Known mistakes and unusual but correct solutions for LinearLayer."""

import math
import random  # noqa: F401 (for an edit)

import torch
from ex01_linear_layer import LinearLayer
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print list(layer.named_parameters()) and layer.state_dict(). Are both tensors there, with the right shapes?",
    "A tensor becomes part of a module when it is wrapped in nn.Parameter and assigned to an attribute of "
    "self. The weight is stored as (out, in), so it must be transposed in the product.",
    "Fill two new tensors uniformly between -k and k, wrap each, assign both (or None for the bias). In "
    "forward, multiply x by the transposed weight with @, and add the bias if there is one.",
)


PlainTensors = mistake.edited(
    "nn.Parameter(torch.empty(out_features, in_features).uniform_(-k, k))",
    "torch.empty(out_features, in_features).uniform_(-k, k).requires_grad_()",
    "weight and bias are plain tensors: only an nn.Parameter is trained, moved and saved, so wrap them.",
    also=[("nn.Parameter(torch.empty(out_features).uniform_(-k, k))",
         "torch.empty(out_features).uniform_(-k, k).requires_grad_()")],
    about="state_and_parameters_are_those_of_linear", pitfall="A plain tensor as an attribute")

RegistersBuffers = mistake.edited(
    "self.weight = nn.Parameter(torch.empty(out_features, in_features).uniform_(-k, k))",
    'self.register_buffer("weight", torch.empty(out_features, in_features).uniform_(-k, k))',
    "weight and bias are saved, but they are not parameters, so nothing trains them: wrap each in nn.Parameter.",
    also=[("self.bias = nn.Parameter(torch.empty(out_features).uniform_(-k, k)) if bias else None",
         'self.register_buffer("bias", torch.empty(out_features).uniform_(-k, k) if bias else None)')],
    about="state_and_parameters_are_those_of_linear")

WeightInOut = mistake.edited("in_features).uniform_(-k, k)", "in_features).uniform_(-k, k).T.contiguous()",
    "weight has shape (in, out): nn.Linear stores (out, in) and multiplies by the transposed weight.",
    also=[("self.weight.T", "self.weight")], about="state_and_parameters_are_those_of_linear")

ForgetsToTranspose = mistake.edited("self.weight.T", "self.weight",
    "The product uses weight as it is stored, (out, in): multiply by weight.T. With a square layer there is no error, only wrong numbers.")

BiasIsARow = mistake.edited("torch.empty(out_features).", "torch.empty(1, out_features).",
    "bias has shape (1, out): it must be (out,), or a state_dict of nn.Linear does not fit.",
    about="state_and_parameters_are_those_of_linear")

AlwaysHasABias = mistake.edited(" if bias else None", "",
    "With bias=False there is still a bias (even one of zeros would be trained): set the attribute to None.")


@mistake("LinearLayer", forbidden="nn.Linear")
class IsNnLinear(nn.Linear):
    """nn.Linear does all the work: inherit from nn.Module, and make weight, bias and forward yourself."""


NeverAddsTheBias = mistake.edited("return out if self.bias is None else out + self.bias", "return out",
    "The bias exists but forward does not add it.")

StartsAtZero = mistake.edited(".uniform_(-k, k)", ".zero_()",
    "The weight starts as zeros, so all outputs are the same and learn the same: draw between -k and k.",
    occurrence=1, also=[(".uniform_(-k, k)", ".zero_()", 2)])

StartsNormal = mistake.edited(".uniform_(-k, k)", ".normal_()",
    "The initial values are too large: draw uniformly between -k and k, with k = 1 / sqrt(in_features).",
    occurrence=1, also=[(".uniform_(-k, k)", ".normal_()", 2)])

StartsBetweenZeroAndOne = mistake.edited(".uniform_(-k, k)", ".uniform_(0, k)",
    "The initial values lie between 0 and k: scale and shift what you draw, so that it lies between -k and k.",
    occurrence=1, also=[(".uniform_(-k, k)", ".uniform_(0, k)", 2)])

StartsAsRand = mistake.edited(".uniform_(-k, k)", ".uniform_()",
    "The initial values lie between 0 and 1, as torch.rand gives them: scale and shift them, so that they lie between -k and k.",
    occurrence=1, also=[(".uniform_(-k, k)", ".uniform_()", 2)])

StartsWithABiasOfZeros = mistake.edited("torch.empty(out_features).uniform_(-k, k)", "torch.zeros(out_features)",
    "The bias starts as zeros: draw it like the weight, uniformly between -k and k.",
    common=True)

StartsWithKaimingsDefault = mistake.edited("torch.empty(out_features, in_features).uniform_(-k, k)",
    "nn.init.kaiming_uniform_(torch.empty(out_features, in_features))",
    "The weights are too large, by a factor of sqrt(6), as from nn.init.kaiming_uniform_ with its defaults: draw them between -k and k.")

StartsNormalWithinBounds = mistake.edited(".uniform_(-k, k)", ".normal_().mul_(k).div_(3**0.5).clamp_(-k, k)",
    "The initial values lie between -k and k, but are not uniform: every value in this range must be equally likely.",
    occurrence=1, also=[(".uniform_(-k, k)", ".normal_().mul_(k).div_(3**0.5).clamp_(-k, k)", 2)])

OneNumberForEachRow = mistake.edited("torch.empty(out_features, in_features).uniform_(-k, k)",
    "torch.empty(out_features, 1).uniform_(-k, k).repeat(1, in_features)",
    "All weights of an output start equal: draw a number for every element, (out, in) of them.")

BiasCopiesTheWeight = mistake.edited("torch.empty(out_features).uniform_(-k, k)", "self.weight.detach()[:, 0].clone()",
    "Some initial values repeat others, as if the bias were copied from the weight: draw a separate number for every element.")

MirrorsHalf = mistake.edited("if bias else None",
    """
    if bias else None
    half = out_features // 2
    with torch.no_grad():
        for p in self.parameters():
            p[half : 2 * half] = -p[:half]
    """,
    "Half of the initial values are the negatives of others: draw a separate number for every element.")

RoundsTheRoot = mistake.edited("math.sqrt(in_features)", "int(math.sqrt(in_features))",
    "k is too large where sqrt(in_features) is not a whole number, as if the root were rounded down: use 1 / math.sqrt(in_features).")

DrawsInPython = mistake.edited(".uniform_(-k, k)", ".apply_(lambda _: random.uniform(-k, k))",
    "The initial values come from Python's random (or another source), which torch.manual_seed does not reach: draw with torch.",
    occurrence=1, also=[(".uniform_(-k, k)", ".apply_(lambda _: random.uniform(-k, k))", 2)])

BorrowsFromALinear = mistake.edited(
    """
    self.weight = nn.Parameter(torch.empty(out_features, in_features).uniform_(-k, k))
    self.bias = nn.Parameter(torch.empty(out_features).uniform_(-k, k)) if bias else None
    """,
    """
    made = nn.Linear(in_features, out_features, bias)
    self.weight, self.bias = made.weight, made.bias
    """,
    "A ready-made layer is created inside: create two nn.Parameter and draw the numbers yourself.", forbidden="nn.Linear")

HidesALinear = mistake.edited(
    """
    self.weight = nn.Parameter(torch.empty(out_features, in_features).uniform_(-k, k))
    self.bias = nn.Parameter(torch.empty(out_features).uniform_(-k, k)) if bias else None
    """,
    """
    self.hidden = [nn.Linear(in_features, out_features, bias)]
    self.weight, self.bias = self.hidden[0].weight, self.hidden[0].bias
    """,
    "A ready-made layer inside does all the work: make weight, bias and forward yourself.",
    also=[("out = x @ self.weight.T\nreturn out if self.bias is None else out + self.bias", "return self.hidden[0](x)")],
    forbidden="nn.Linear")

HidesAnotherLayer = mistake.edited(
    """
    self.weight = nn.Parameter(torch.empty(out_features, in_features).uniform_(-k, k))
    self.bias = nn.Parameter(torch.empty(out_features).uniform_(-k, k)) if bias else None
    """,
    """
    self.hidden = [nn.Bilinear(in_features, 1, out_features, bias)]
    self.weight = nn.Parameter(self.hidden[0].weight.detach().squeeze(2))
    self.bias = self.hidden[0].bias
    """,
    "A ready-made layer inside does all the work: make weight, bias and forward yourself.",
    also=[("out = x @ self.weight.T\nreturn out if self.bias is None else out + self.bias",
           "return self.hidden[0].to(x)(x, x.new_ones(*x.shape[:-1], 1))")],
    forbidden="another ready-made layer inside")

RemembersTheResult = mistake.edited(
    """
    out = x @ self.weight.T
    return out if self.bias is None else out + self.bias
    """,
    """
    if self.__dict__.get("last", (None,))[0] is not x:
        out = x @ self.weight.T
        self.last = x, out if self.bias is None else out + self.bias
    return self.last[1]
    """,
    "The result of an earlier call with the same x was returned, although the weight has changed since: compute it in every call.")

StacksTheRows = mistake.edited("out = x @ self.weight.T",
    """
    if x.dim() > 2:
        return torch.stack([self(part) for part in x])
    out = x @ self.weight.T
    """,
    "An x whose first axis has size 0 fails, as a loop with torch.stack does: @ takes any leading axes, also empty ones.")

ForgetsTheRootInK = mistake.edited("1 / math.sqrt(in_features)", "1 / in_features",
    "The initial values are too small: k is 1 / sqrt(in_features), not 1 / in_features.")

SeedsItself = mistake.edited("k = 1 /", "torch.manual_seed(0)\nk = 1 /",
    "Two layers have the same initial values: the layer seeds the generator, which is the caller's job.")

CutsTheGraph = mistake.edited("self.weight.T", "self.weight.data.T",
    "The weight got no gradient: .data (or detach) in forward hides it from autograd, so use the parameter itself.",
    also=[("out + self.bias", "out + self.bias.data")])

MatricesOnly = mistake.edited("x @ self.weight.T", "torch.mm(x, self.weight.t())",
    "Only an x with two axes works, as with torch.mm: @ takes any number of leading axes.")

WorksInFloat32 = mistake.edited("x @ self.weight.T", "x.float() @ self.weight.float().T",
    "The product is computed in float32 and converted back, so a float64 layer has only seven correct digits: compute in the "
    "dtype of x and the parameters.",
    also=[("return out if self.bias is None else out + self.bias",
        "return (out if self.bias is None else out + self.bias.float()).to(x.dtype)")])

CutsTheGraphInEval = mistake.edited("return out if self.bias is None else out + self.bias",
    """
    y = out if self.bias is None else out + self.bias
    return y if self.training else y.detach()
    """,
    "In eval mode no gradient flows back: eval mode doesn't turn off gradients; that is left to the caller's no_grad.")

AsksForTheBiasValues = mistake.edited("self.bias is None", "self.bias is None or not self.bias.any()",
    "A bias of zeros was left out, so it gets no gradient and stays 0 forever: test whether it is None, not its values.")


@alternative("LinearLayer")
class FunctionalForm(LinearLayer):
    """The functional form does the product; parameters registered by name."""

    def __init__(self, in_features, out_features, bias=True):
        nn.Module.__init__(self)
        k = in_features**-0.5
        self.register_parameter("weight", nn.Parameter(torch.rand(out_features, in_features) * 2 * k - k))
        self.register_parameter("bias", nn.Parameter(torch.rand(out_features) * 2 * k - k) if bias else None)

    def forward(self, x):
        return nn.functional.linear(x, self.weight, self.bias)


@alternative("LinearLayer")
class EinsumAndInit(nn.Module):
    """einsum for the product, nn.init for the initial values."""

    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.empty((out_features, in_features)))
        self.bias = nn.Parameter(torch.empty(out_features)) if bias else None
        k = math.sqrt(1 / in_features)
        for p in self.parameters():
            nn.init.uniform_(p, a=-k, b=k)

    def forward(self, x):
        out = torch.einsum("...i,oi->...o", x, self.weight)
        if self.bias is not None:
            out = out + self.bias
        return out
