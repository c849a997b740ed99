"""Known mistakes and odd-but-correct solutions for LinearLayer."""

import math
import random

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


class _Layer(LinearLayer):
    """The reference with its initial values taken out, so that each mistake shows its line."""

    def values(self, *shape, k):
        """Return new initial values."""
        return torch.empty(*shape).uniform_(-k, k)

    def __init__(self, in_features, out_features, bias=True):
        nn.Module.__init__(self)
        k = 1 / math.sqrt(in_features)
        self.weight = nn.Parameter(self.values(out_features, in_features, k=k))
        self.bias = nn.Parameter(self.values(out_features, k=k)) if bias else None


PlainTensors = mistake.edited(
    "nn.Parameter(torch.empty(out_features, in_features).uniform_(-k, k))",
    "torch.empty(out_features, in_features).uniform_(-k, k).requires_grad_()",
    "weight and bias are plain tensors: only an nn.Parameter is trained, moved and saved, so wrap them.",
    also=[("nn.Parameter(torch.empty(out_features).uniform_(-k, k))",
         "torch.empty(out_features).uniform_(-k, k).requires_grad_()")])


@mistake("LinearLayer")
class WeightInOut(_Layer):
    """weight has shape (in, out): nn.Linear stores (out, in) and multiplies by the transposed weight."""

    def __init__(self, in_features, out_features, bias=True):
        super().__init__(in_features, out_features, bias)
        self.weight = nn.Parameter(self.weight.detach().T.contiguous())

    def forward(self, x):
        out = x @ self.weight
        return out if self.bias is None else out + self.bias


@mistake("LinearLayer")
class ForgetsToTranspose(_Layer):
    """The product uses weight as it is stored, (out, in): multiply by weight.T;
    a square layer hides this mistake.
    """

    def forward(self, x):
        out = x @ self.weight
        return out if self.bias is None else out + self.bias


@mistake("LinearLayer")
class BiasIsARow(_Layer):
    """bias has shape (1, out): it must be (out,), or a state_dict of nn.Linear does not fit."""

    def __init__(self, in_features, out_features, bias=True):
        super().__init__(in_features, out_features, bias)
        if bias:
            self.bias = nn.Parameter(self.bias.detach().unsqueeze(0))


@mistake("LinearLayer")
class AlwaysHasABias(_Layer):
    """With bias=False there is still a bias (even one of zeros would be trained): set the attribute to None."""

    def __init__(self, in_features, out_features, bias=True):
        super().__init__(in_features, out_features, True)


@mistake("LinearLayer")
class IsNnLinear(nn.Linear):
    """The class inherits from nn.Linear, which does all the work: inherit from nn.Module,
    and make weight, bias and forward yourself.
    """


@mistake("LinearLayer")
class NeverAddsTheBias(_Layer):
    """The bias exists but forward does not add it."""

    def forward(self, x):
        return x @ self.weight.T


@mistake("LinearLayer")
class StartsAtZero(_Layer):
    """The weight starts as zeros, so all outputs are the same and learn the same: draw between -k and k."""

    def values(self, *shape, k):
        return torch.zeros(*shape)


@mistake("LinearLayer")
class StartsNormal(_Layer):
    """The initial values come from randn, so they are too large:
    draw uniformly between -k and k, k = 1 / sqrt(in).
    """

    def values(self, *shape, k):
        return torch.randn(*shape)


@mistake("LinearLayer")
class StartsBetweenZeroAndOne(_Layer):
    """The initial values lie between 0 and k: rand gives 0 to 1, so scale and shift it to -k to k."""

    def values(self, *shape, k):
        return torch.rand(*shape) * k


@mistake("LinearLayer")
class StartsNormalWithinBounds(_Layer):
    """The initial values lie between -k and k but come from randn, so most are near 0: every value must be equally likely."""

    def values(self, *shape, k):
        return (torch.randn(shape) * k / 3**0.5).clamp(-k, k)


@mistake("LinearLayer")
class OneNumberForEachRow(_Layer):
    """All weights of an output start equal: draw a number for every element, (out, in) of them."""

    def values(self, *shape, k):
        return torch.empty(shape[0], *(1 for _ in shape[1:])).uniform_(-k, k).expand(shape).clone()


@mistake("LinearLayer")
class BiasCopiesTheWeight(_Layer):
    """The bias starts as a copy of some weights: draw separate numbers for it."""

    def __init__(self, in_features, out_features, bias=True):
        super().__init__(in_features, out_features, bias)
        if bias:
            self.bias.data = self.weight.detach()[:, 0].clone()


@mistake("LinearLayer")
class MirrorsHalf(_Layer):
    """Half of the weights are the negative of the other half, so the outputs start in opposite pairs: draw every number."""

    def values(self, *shape, k):
        found = super().values(*shape, k=k)
        half = shape[0] // 2
        found[half : 2 * half] = -found[:half]
        return found


@mistake("LinearLayer")
class RoundsTheRoot(_Layer):
    """The square root was rounded to an integer: k is 1 / math.sqrt(in_features), not rounded."""

    def values(self, *shape, k):
        k = 1 / int(1 / k + 1e-9)
        return super().values(*shape, k=k)


@mistake("LinearLayer")
class DrawsInPython(_Layer):
    """The initial values come from Python's random (or another source), which torch.manual_seed does not reach: draw with torch."""

    def values(self, *shape, k):
        return torch.tensor([random.uniform(-k, k) for _ in range(math.prod(shape))]).reshape(shape)


@mistake("LinearLayer")
class BorrowsFromALinear(_Layer):
    """An nn.Linear is created only for its weight and bias: create two nn.Parameter and draw the numbers yourself."""

    def __init__(self, in_features, out_features, bias=True):
        nn.Module.__init__(self)
        made = nn.Linear(in_features, out_features, bias)
        self.weight, self.bias = made.weight, made.bias


@mistake("LinearLayer")
class HidesALinear(_Layer):
    """An nn.Linear in a plain list does all the work: make weight, bias and forward yourself."""

    def __init__(self, in_features, out_features, bias=True):
        nn.Module.__init__(self)
        self.hidden = [nn.Linear(in_features, out_features, bias)]
        self.weight, self.bias = self.hidden[0].weight, self.hidden[0].bias

    def forward(self, x):
        return self.hidden[0](x)


@mistake("LinearLayer")
class RemembersTheResult(_Layer):
    """The result of an earlier call with the same x was returned, although the weight has changed since: compute it in every call."""

    def forward(self, x):
        if self.__dict__.get("last", (None,))[0] is not x:
            self.last = (x, super().forward(x))
        return self.last[1]


@mistake("LinearLayer")
class StacksTheRows(_Layer):
    """A loop over the first axis puts the results together with torch.stack, which fails where that axis has size 0: @ takes
    any leading axes.
    """

    def forward(self, x):
        return super().forward(x) if x.dim() < 3 else torch.stack([self(part) for part in x])


@mistake("LinearLayer")
class ForgetsTheRootInK(_Layer):
    """The initial values are too small: k is 1 / sqrt(in_features), not 1 / in_features."""

    def values(self, *shape, k):
        return torch.empty(*shape).uniform_(-k * k, k * k)


@mistake("LinearLayer")
class SeedsItself(_Layer):
    """Two layers have the same initial values: the layer seeds the generator, which is the caller's job."""

    def __init__(self, in_features, out_features, bias=True):
        torch.manual_seed(0)
        super().__init__(in_features, out_features, bias)


@mistake("LinearLayer")
class CutsTheGraph(_Layer):
    """The weight got no gradient: .data (or detach) in forward hides it from autograd, so use the parameter
    itself."""

    def forward(self, x):
        out = x @ self.weight.data.T
        return out if self.bias is None else out + self.bias.data


@mistake("LinearLayer")
class MatricesOnly(_Layer):
    """Only inputs with two axes work: torch.mm takes matrices, @ takes any number of leading axes."""

    def forward(self, x):
        out = torch.mm(x, self.weight.t())
        return out if self.bias is None else out + self.bias


@mistake("LinearLayer")
class WorksInFloat32(LinearLayer):
    """The product is computed in float32 and converted back, so a float64 layer has only seven correct digits:
    compute in the dtype of x and the parameters."""

    def forward(self, x):
        bias = None if self.bias is None else self.bias.float()
        return torch.nn.functional.linear(x.float(), self.weight.float(), bias).to(x.dtype)


@mistake("LinearLayer")
class CutsTheGraphInEval(_Layer):
    """In eval mode no gradient flows back: eval mode doesn't turn off gradients; that is left to the caller's no_grad."""

    def forward(self, x):
        y = super().forward(x)
        return y if self.training else y.detach()


@mistake("LinearLayer")
class AsksForTheBiasValues(_Layer):
    """A bias of zeros was left out, so it gets no gradient and stays 0 forever: test whether it is None, not its values."""

    def forward(self, x):
        out = x @ self.weight.T
        return out + self.bias if self.bias is not None and self.bias.any() else out


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
