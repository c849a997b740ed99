"""Known mistakes and odd-but-correct solutions for LayerNorm."""

import torch
from bonus2_layer_norm import LayerNorm
from torch import nn

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_statements: self.shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)": "a plain attribute may be set before super().__init__()",
    "in_place: normal = (x - mean) / torch.sqrt_(variance + self.eps)": "works on a temporary tensor that nobody else sees",
}

HINTS = (
    "For x of shape (5, 3) and normalized_shape 3: how many means are there, and which numbers does each one "
    "use?",
    "Count the sizes in normalized_shape: so many axes at the end of x are reduced together, with keepdim. "
    "The variance divides by the count, and eps goes inside the square root.",
    "Make a tuple of the sizes; the reduced axes are -1, -2, ... as many as it has. Compare the end of "
    "x.shape with it. Subtract the mean, divide by the square root of variance plus eps, scale and shift if "
    "there are parameters.",
)


class _Norm(LayerNorm):
    """The reference with its lines as methods, so that each mistake shows its line."""

    def dims(self, x):
        """Return the axes that are reduced."""
        return tuple(range(-len(self.shape), 0))

    def moments(self, x):
        """Return variance and mean."""
        return torch.var_mean(x, dim=self.dims(x), correction=0, keepdim=True)

    def scale(self, variance):
        """Return what the centred values are divided by."""
        return torch.sqrt(variance + self.eps)

    def check(self, x):
        """Refuse other shapes."""
        if x.shape[-len(self.shape) :] != self.shape:
            raise ValueError("other last axes")

    def forward(self, x):
        self.check(x)
        variance, mean = self.moments(x)
        normal = (x - mean) / self.scale(variance)
        return normal if self.weight is None else normal * self.weight + self.bias


@mistake("LayerNorm")
class DividesByOneLess(_Norm):
    """The variance divided by the count minus 1, which is torch's default: ask for correction=0."""

    def moments(self, x):
        return torch.var_mean(x, dim=self.dims(x), correction=1, keepdim=True)


@mistake("LayerNorm")
class EpsOutsideTheRoot(_Norm):
    """eps was added to the standard deviation: add it to the variance, inside the square root."""

    def scale(self, variance):
        return torch.sqrt(variance) + self.eps


@mistake("LayerNorm")
class IgnoresEps(_Norm):
    """The eps of the constructor has no effect: 1e-5 is written into the formula."""

    def scale(self, variance):
        return torch.sqrt(variance + 1e-5)


@mistake("LayerNorm")
class TakesNoZeroForEps(_Norm):
    """eps=0.0 was treated as a missing eps (eps or 1e-5): 0 is a setting like any other."""

    def scale(self, variance):
        return (variance + (self.eps or 1e-5)) ** 0.5


@mistake("LayerNorm")
class MomentsInFloat32(_Norm):
    """A float64 result has only seven correct digits: mean and variance went through float32. Keep the dtype of x."""

    def moments(self, x):
        variance, mean = super().moments(x.float())
        return variance.to(x.dtype), mean.to(x.dtype)


@mistake("LayerNorm")
class DetachesInEval(_Norm):
    """In eval mode the gradient for x is wrong: eval mode doesn't turn off gradients, so don't detach."""

    def moments(self, x):
        variance, mean = super().moments(x)
        return variance if self.training else variance.detach(), mean


@mistake("LayerNorm")
class DividesByTheVariance(_Norm):
    """The square root is missing: divide by sqrt(variance + eps)."""

    def scale(self, variance):
        return variance + self.eps


@mistake("LayerNorm")
class LastAxisOnly(_Norm):
    """Only the last axis was normalized: all axes of normalized_shape are reduced together."""

    def dims(self, x):
        return (-1,)


@mistake("LayerNorm")
class AllButTheFirst(_Norm):
    """All axes but the first were reduced: only the axes of normalized_shape are."""

    def dims(self, x):
        return tuple(range(1, x.dim())) or (0,)


@mistake("LayerNorm")
class OverTheBatch(_Norm):
    """The statistics run over the examples, as in batch norm: each example is normalized separately, over its last
    axes."""

    def dims(self, x):
        return tuple(range(x.dim() - len(self.shape))) or (0,)


@mistake("LayerNorm")
class DetachesTheStatistics(_Norm):
    """The gradient for x is wrong: mean and variance depend on x, so do not detach them."""

    def moments(self, x):
        return super().moments(x.detach())


@mistake("LayerNorm")
class NoScaleAndShift(_Norm):
    """weight and bias are there but not used: multiply by weight and add bias."""

    def forward(self, x):
        self.check(x)
        variance, mean = self.moments(x)
        return (x - mean) / self.scale(variance)


@mistake("LayerNorm")
class AlwaysAffine(_Norm):
    """affine=False was ignored: then weight and bias are None and state_dict is empty."""

    def __init__(self, normalized_shape, eps=1e-5, affine=True):
        super().__init__(normalized_shape, eps, True)


@mistake("LayerNorm")
class PlainScaleAndShift(_Norm):
    """weight and bias are plain tensors: wrap them in nn.Parameter,
    or they are not trained, moved or saved.
    """

    def __init__(self, normalized_shape, eps=1e-5, affine=True):
        super().__init__(normalized_shape, eps, False)
        if affine:
            del self.weight, self.bias
            self.weight = torch.ones(self.shape)
            self.bias = torch.zeros(self.shape)


@mistake("LayerNorm")
class StartsAtZero(_Norm):
    """weight starts as zeros, so every result is zero: start with ones."""

    def __init__(self, normalized_shape, eps=1e-5, affine=True):
        super().__init__(normalized_shape, eps, affine)
        if affine:
            nn.init.zeros_(self.weight)


@mistake("LayerNorm")
class ChecksNoShape(_Norm):
    """x with other last axes was accepted, or raised another error:
    compare the shapes and raise ValueError.
    """

    def check(self, x):
        pass


@mistake("LayerNorm")
class SubtractsTwoLargeNumbers(LayerNorm):
    """The variance is the mean of x * x minus mean * mean, the difference of two large numbers, which loses digits:
    subtract the mean first, then square."""

    def forward(self, x):
        dims = tuple(range(-max(self.weight.dim(), 1), 0)) if self.weight is not None else (-1,)
        if self.weight is None or x.shape[dims[0] :] != self.weight.shape:
            return super().forward(x)
        mean = x.mean(dims, keepdim=True)
        variance = (x * x).mean(dims, keepdim=True) - mean * mean
        return (x - mean) / (variance + self.eps).sqrt() * self.weight + self.bias


@mistake("LayerNorm")
class KeepsStatisticsForEval(LayerNorm):
    """In eval mode the mean and variance of an earlier x are used: each example has its own, in both modes."""

    def forward(self, x):
        if self.training:
            self.last = x.detach()
            return super().forward(x)
        kept = getattr(self, "last", x)
        return super().forward(kept if kept.shape == x.shape else x)


@mistake("LayerNorm")
class FixesTheDtype(LayerNorm):
    """weight and bias are always created in float32: omit dtype=, so that torch's default dtype applies."""

    def __init__(self, normalized_shape, eps=1e-5, affine=True):
        super().__init__(normalized_shape, eps, affine)
        self.float()


@mistake("LayerNorm")
class ChecksOnlyWithWeights(_Norm):
    """With affine=False other last axes are accepted: check the shape even without weights."""

    def check(self, x):
        if self.weight is not None:
            super().check(x)


@mistake("LayerNorm")
class TakesOneSizeOfAList(_Norm):
    """Only one size of a list is used: treat a list like a tuple, with all of its axes together."""

    def __init__(self, normalized_shape, eps=1e-5, affine=True):
        super().__init__(normalized_shape[-1] if isinstance(normalized_shape, list) else normalized_shape, eps, affine)


@mistake("LayerNorm")
class EpsIsTheThirdArgument(_Norm):
    """The arguments of the constructor are in the wrong order: use normalized_shape, eps, affine."""

    def __init__(self, normalized_shape, affine=True, eps=1e-5):
        super().__init__(normalized_shape, eps, affine)


@mistake("LayerNorm")
class SkipsWhatChangesNothing(_Norm):
    """A weight of ones and a bias of zeros were left out, so a new layer never learns them: test only whether they are None."""

    def forward(self, x):
        self.check(x)
        variance, mean = self.moments(x)
        normal = (x - mean) / self.scale(variance)
        if self.weight is None or ((self.weight == 1).all() and (self.bias == 0).all()):
            return normal
        return normal * self.weight + self.bias


@mistake("LayerNorm")
class TakesEpsForALimit(_Norm):
    """The variance was raised to eps where it is smaller (clamp, or maximum): eps is added to every variance."""

    def scale(self, variance):
        return torch.sqrt(variance.clamp(min=self.eps))


@mistake("LayerNorm")
class PassesSingleNumbers(_Norm):
    """Where a single number is normalized, it is returned unchanged: it equals its own mean, so the normalized value is 0."""

    def forward(self, x):
        self.check(x)
        if len(self.shape) == 1 and self.shape[0] == 1:
            return x.clone() if self.weight is None else x * self.weight + self.bias
        return super().forward(x)


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


@alternative("LayerNorm")
class MeanAndVar(_Norm):
    """mean and var as two calls; the division written as a negative power."""

    def forward(self, x):
        self.check(x)
        dims = [-1 - k for k in range(len(self.shape))]
        mean = x.mean(dims, keepdim=True)
        variance = x.var(dims, unbiased=False, keepdim=True)
        out = (x - mean) * (variance + self.eps) ** -0.5
        if self.weight is None:
            return out
        return out * self.weight + self.bias
