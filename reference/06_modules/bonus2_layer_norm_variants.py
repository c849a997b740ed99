"""Known mistakes and unusual but correct solutions for LayerNorm."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_statements: self.shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)": "a plain attribute may be set before super().__init__()",
    "in_place: normal = (x - mean) / torch.sqrt_(variance + self.eps)": "works on a temporary tensor that nobody else sees",
}

HINTS = (
    "For x of shape (5, 3) and normalized_shape 3: how many means are there, and which numbers does each one "
    "use?",
    "Count the sizes in normalized_shape: that many axes at the end of x are reduced together, with keepdim. "
    "The variance divides by the count, and eps goes inside the square root.",
    "Make a tuple of the sizes; the reduced axes are -1, -2, ... as many as it has. Compare the end of "
    "x.shape with it. Subtract the mean, divide by the square root of variance plus eps, scale and shift if "
    "there are parameters.",
)


DividesByOneLess = mistake.edited("correction=0", "correction=1",
    "The variance divided by the count minus 1, which is torch's default: divide by the count, for example with correction=0.",
    pitfall="divides by the count minus 1")

EpsOutsideTheRoot = mistake.edited("torch.sqrt(variance + self.eps)", "(torch.sqrt(variance) + self.eps)",
    "eps was added to the standard deviation: add it to the variance, inside the square root.")

EpsBesideTheStd = mistake.edited("torch.sqrt(variance + self.eps)", "(x.std(dim=dims, correction=0, keepdim=True) + self.eps)",
    "eps was added to the standard deviation: add it to the variance, inside the square root.")

StdPlusEps = mistake.edited("torch.sqrt(variance + self.eps)", "(x.std(dim=dims, keepdim=True) + self.eps)",
    "The result is divided by x.std() + eps: the variance divides by the count, not by one less, and eps is added to it inside the "
    "root.")

IgnoresEps = mistake.edited("variance + self.eps", "variance + 1e-5",
    "The eps of the constructor has no effect: your formula always uses 1e-5.")

TakesNoZeroForEps = mistake.edited("variance + self.eps", "variance + (self.eps or 1e-5)",
    "eps=0.0 was replaced by 1e-5, as by `eps or 1e-5`: 0 is a setting like any other.")

MomentsInFloat32 = mistake.edited("torch.var_mean(x, dim=dims, correction=0, keepdim=True)",
    "(t.to(x.dtype) for t in torch.var_mean(x.float(), dim=dims, correction=0, keepdim=True))",
    "A float64 result has only seven correct digits: mean and variance went through float32. Keep the dtype of x.")

DetachesInEval = mistake.edited("variance + self.eps", "(variance if self.training else variance.detach()) + self.eps",
    "In eval mode the gradient for x is wrong: eval mode doesn't turn off gradients, so don't detach.")

DividesByTheVariance = mistake.edited("torch.sqrt(variance + self.eps)", "(variance + self.eps)",
    "The square root is missing: divide by sqrt(variance + eps).")

ComparesTheLastAxis = mistake.edited("x.shape[-len(self.shape) :] != self.shape", "x.dim() < len(self.shape) or x.shape[-1] != self.shape[-1]",
    "An x whose last axis fits was not refused, although another axis of normalized_shape differs: all of them must agree.")

LastAxisOnly = mistake.edited("tuple(range(-len(self.shape), 0))", "(-1,)",
    "Only the last axis was normalized: all axes of normalized_shape are reduced together.")

LosesTheAxes = mistake.edited("correction=0, keepdim=True", "correction=0",
    "mean and variance have lost the axes that they reduce, so they don't line up with x: keep them with keepdim=True.",
    common=True)

AllButTheFirst = mistake.edited("tuple(range(-len(self.shape), 0))", "tuple(range(1, x.dim())) or (0,)",
    "You reduced all axes but the first: reduce only the axes of normalized_shape.")

OverTheBatch = mistake.edited("tuple(range(-len(self.shape), 0))", "tuple(range(x.dim() - len(self.shape))) or (0,)",
    "The statistics run over the examples, as in batch norm: each example is normalized separately, over its last axes.")

DetachesTheStatistics = mistake.edited("var_mean(x,", "var_mean(x.detach(),",
    "The gradient for x is wrong: mean and variance depend on x, so do not detach them.")

NoScaleAndShift = mistake.edited("return normal if self.weight is None else normal * self.weight + self.bias", "return normal",
    "weight and bias are there but not used: multiply by weight and add bias.")

AlwaysAffine = mistake.edited(" if affine else None", "",
    "affine=False was ignored: then weight and bias are None and state_dict is empty.",
    occurrence=1, also=[(" if affine else None", "", 2)])

PlainScaleAndShift = mistake.edited("nn.Parameter(torch.ones(self.shape))", "torch.ones(self.shape)",
    "weight and bias are plain tensors: wrap them in nn.Parameter, or they are not trained, moved or saved.",
    also=[("nn.Parameter(torch.zeros(self.shape))", "torch.zeros(self.shape)")])

StartsAtZero = mistake.edited("torch.ones(", "torch.zeros(",
    "weight starts as zeros, so every result is zero: start with ones.")

OneWeightForTheLastAxis = mistake.edited("torch.ones(self.shape)", "torch.ones(self.shape[-1])",
    "weight and bias have the size of the last axis only: their shape is all of normalized_shape.",
    also=[("torch.zeros(self.shape)", "torch.zeros(self.shape[-1])")])

ChecksNoShape = mistake.edited("if x.shape[-len(self.shape) :] != self.shape:", "if False:",
    "An x with other last axes was accepted, or raised a different error: compare the shapes and raise ValueError.")

ComparesTheLastSize = mistake.edited("if x.shape[-len(self.shape) :] != self.shape:", "if x.shape[-1] != self.shape[-1]:",
    "Only the last size is compared: all axes of normalized_shape must match the last axes of x.")

SubtractsTwoLargeNumbers = mistake.edited("variance, mean = torch.var_mean(x, dim=dims, correction=0, keepdim=True)",
    """
    mean = x.mean(dims, keepdim=True)
    variance = (x * x).mean(dims, keepdim=True) - mean * mean
    """,
    "The variance lost digits, as the difference of two large numbers does (the mean of x * x minus mean * mean): subtract "
    "the mean first, then square.")

KeepsStatisticsForEval = mistake.edited("if x.shape[-len(self.shape) :]",
    """
    if self.training:
        self.last = x.detach()
    elif getattr(self, "last", x).shape == x.shape:
        x = getattr(self, "last", x)
    if x.shape[-len(self.shape) :]
    """,
    "In eval mode the result is that of an earlier x: normalize the x that is passed, with its own mean and variance, in both modes.")

FixesTheDtype = mistake.edited("torch.ones(self.shape)", "torch.ones(self.shape, dtype=torch.float32)",
    "weight and bias are always created in float32: give them no dtype, so that torch's default dtype applies.",
    also=[("torch.zeros(self.shape)", "torch.zeros(self.shape, dtype=torch.float32)")])

ChecksOnlyWithWeights = mistake.edited("if x.shape[", "if self.weight is not None and x.shape[",
    "With affine=False other last axes are accepted: check the shape even without weights.")

TakesOneSizeOfAList = mistake.edited("super().__init__()",
    """
    super().__init__()
    if isinstance(normalized_shape, list):
        normalized_shape = normalized_shape[-1]
    """,
    "Only one size of a list is used: treat a list like a tuple, with all of its axes together.")

KeepsTheList = mistake.edited("else tuple(normalized_shape)", "else normalized_shape",
    "A list as normalized_shape is rejected: a list never equals a shape, so make a tuple of it.")

EpsIsTheThirdArgument = mistake.edited("eps: float = 1e-5, affine: bool = True", "affine: bool = True, eps: float = 1e-5",
    "The arguments of the constructor are in the wrong order: use normalized_shape, eps, affine.")

SkipsWhatChangesNothing = mistake.edited(
    "self.weight is None", "self.weight is None or ((self.weight == 1).all() and (self.bias == 0).all())",
    "A weight of ones and a bias of zeros were left out, so a new layer never learns them: test only whether they are None.")

TakesEpsForALimit = mistake.edited("variance + self.eps", "variance.clamp(min=self.eps)",
    "The variance was raised to eps where it is smaller (clamp, or maximum): eps is added to every variance.")

NormalizesByFunction = mistake.edited("return normal if self.weight is None else normal * self.weight + self.bias",
    "return nn.functional.layer_norm(x, self.shape, self.weight, self.bias, self.eps)",
    "PyTorch's own layer_norm does all the work: subtract the mean, and divide by the root of the variance yourself.",
    forbidden="nn.functional.layer_norm and torch.layer_norm")


@mistake("LayerNorm", forbidden="nn.LayerNorm")
class IsNnLayerNorm(nn.LayerNorm):
    """nn.LayerNorm does all the work: inherit from nn.Module, and write the formula yourself."""

    def __init__(self, normalized_shape, eps=1e-5, affine=True):
        super().__init__(normalized_shape, eps, affine)

    def forward(self, x):
        if tuple(x.shape[-len(self.normalized_shape) :]) != tuple(self.normalized_shape):
            raise ValueError("x has other last axes")
        return super().forward(x)


PassesSingleNumbers = mistake.edited("normal = (x", "normal = x.clone() if self.shape == (1,) else (x",
    "Where a single number is normalized, it is returned unchanged: it equals its own mean, so the normalized value is 0.")


@alternative("LayerNorm")
class Flattened(nn.Module):
    """The last axes become one, and come back at the end."""

    def __init__(self, normalized_shape, eps=1e-5, affine=True):
        super().__init__()
        self.eps = eps
        self.normalized_shape = torch.Size([normalized_shape] if type(normalized_shape) is int else normalized_shape)
        self.register_parameter("weight", nn.Parameter(torch.ones(self.normalized_shape)) if affine else None)
        self.register_parameter("bias", nn.Parameter(torch.zeros(self.normalized_shape)) if affine else None)

    def forward(self, x):
        k = len(self.normalized_shape)
        if x.dim() < k or tuple(x.shape[x.dim() - k :]) != tuple(self.normalized_shape):
            raise ValueError(f"expected (..., {self.normalized_shape})")
        flat = x.flatten(x.dim() - k)
        centred = flat - flat.mean(-1, keepdim=True)
        flat = centred * torch.rsqrt(centred.pow(2).mean(-1, keepdim=True) + self.eps)
        out = flat.reshape(x.shape)
        if self.weight is not None:
            out = torch.addcmul(self.bias, out, self.weight)
        return out


MeanAndVar = alternative.edited("variance, mean = torch.var_mean(x, dim=dims, correction=0, keepdim=True)",
    "mean, variance = x.mean(dims, keepdim=True), x.var(dims, unbiased=False, keepdim=True)",
    "mean and var as two calls; the division written as a negative power.",
    also=[("/ torch.sqrt(variance + self.eps)", "* (variance + self.eps) ** -0.5")])
