"""Known mistakes and odd-but-correct solutions for Standardizer."""

import torch
from ex04_standardizer import Standardizer
from torch import nn

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    'swap_statements: self.register_buffer("std", torch.ones(n_features))': "the order of the buffers is nothing that is graded",
    "swap_statements: self.std.copy_(std.masked_fill(std == 0, 1))": "mean and std are stored one after the other, in either order",
    "in_place: self.std.copy_(std.masked_fill_(std == 0, 1))": "works on a temporary tensor that nobody else sees",
}

HINTS = (
    "Look at list(module.parameters()) and module.state_dict(). In which of the two should mean and std "
    "appear?",
    "register_buffer makes a tensor part of the state without training it. Statistics are taken over the "
    "rows, one number for each feature, and without a graph.",
    "Register zeros and ones. In fit, under no_grad: raise ValueError for an empty X, take mean and std over "
    "axis 0 with a correction of 0, replace a std of 0 by 1, store both in the buffers, and return the "
    "module.",
)


class _Scaler(Standardizer):
    """The reference with its statistics taken out, so that each mistake shows its line."""

    def statistics(self, X):
        """Return mean and std of the features."""
        std = X.std(dim=0, correction=0)
        return X.mean(dim=0), std.masked_fill(std == 0, 1)

    @torch.no_grad()
    def fit(self, X):
        if len(X) == 0:
            raise ValueError("X has no rows to fit to")
        self.mean, self.std = self.statistics(X)
        return self


@mistake("Standardizer")
class TrainsTheStatistics(_Scaler):
    """mean and std are parameters, so an optimizer would train them: use register_buffer."""

    def __init__(self, n_features):
        nn.Module.__init__(self)
        self.mean = nn.Parameter(torch.zeros(n_features))
        self.std = nn.Parameter(torch.ones(n_features))

    @torch.no_grad()
    def fit(self, X):
        if len(X) == 0:
            raise ValueError("X has no rows to fit to")
        mean, std = self.statistics(X)
        self.mean.copy_(mean)
        self.std.copy_(std)
        return self


@mistake("Standardizer")
class PlainAttributes(_Scaler):
    """mean and std are plain attributes: they are not saved and stay behind
    when the module moves. Use register_buffer.
    """

    def __init__(self, n_features):
        nn.Module.__init__(self)
        self.mean, self.std = torch.zeros(n_features), torch.ones(n_features)


@mistake("Standardizer")
class NotSaved(_Scaler):
    """The buffers are not part of state_dict: leave out persistent=False."""

    def __init__(self, n_features):
        nn.Module.__init__(self)
        self.register_buffer("mean", torch.zeros(n_features), persistent=False)
        self.register_buffer("std", torch.ones(n_features), persistent=False)


@mistake("Standardizer")
class KeepsTheGraph(_Scaler):
    """When X requires grad, mean and std are part of its graph: compute them under torch.no_grad()."""

    def fit(self, X):
        if len(X) == 0:
            raise ValueError("X has no rows to fit to")
        self.mean, self.std = self.statistics(X)
        return self


@mistake("Standardizer")
class FreezesTheData(_Scaler):
    """fit turned off requires_grad of X, which belongs to the caller: work on X.detach(), your own tensor."""

    def fit(self, X):
        return super().fit(X.requires_grad_(False) if X.is_leaf else X)


@mistake("Standardizer")
class DividesByOneLess(_Scaler):
    """std divided by n - 1, which is torch's default: ask for correction=0."""

    def statistics(self, X):
        std = X.std(dim=0, correction=1 if len(X) > 1 else 0)
        return X.mean(dim=0), std.masked_fill(std == 0, 1)


@mistake("Standardizer")
class FitsInFloat32(_Scaler):
    """mean and std of float64 data have only seven correct digits: they went through float32. Keep the dtype of X."""

    def statistics(self, X):
        mean, std = super().statistics(X.float())
        return mean.to(X.dtype), std.to(X.dtype)


@mistake("Standardizer")
class OneNumberForAllFeatures(_Scaler):
    """All features share one mean and one std: take the statistics over axis 0, one number per feature."""

    def statistics(self, X):
        std = X.std(correction=0)
        return X.mean().expand(X.shape[1]).clone(), std.masked_fill(std == 0, 1).expand(X.shape[1]).clone()


@mistake("Standardizer")
class StoresTheVariance(_Scaler):
    """std holds the variance: take its square root."""

    def statistics(self, X):
        variance = X.var(dim=0, correction=0)
        return X.mean(dim=0), variance.masked_fill(variance == 0, 1)


@mistake("Standardizer")
class KeepsAStdOfZero(_Scaler):
    """A constant feature has std 0, and 0 / 0 is nan: set its std to 1."""

    def statistics(self, X):
        return X.mean(dim=0), X.std(dim=0, correction=0)


@mistake("Standardizer")
class AddsASmallNumber(_Scaler):
    """A small number was added to std: store the exact std, and 1 where it is 0."""

    def statistics(self, X):
        return X.mean(dim=0), X.std(dim=0, correction=0) + 1e-6


@mistake("Standardizer")
class TinyCountsAsZero(_Scaler):
    """Every std below a small threshold became 1: a feature may be measured in tiny units, so replace only a std of
    exactly 0."""

    def statistics(self, X):
        std = X.std(dim=0, correction=0)
        return X.mean(dim=0), std.masked_fill(std < 1e-12, 1)


@mistake("Standardizer")
class ReturnsNothing(_Scaler):
    """fit returned None: return self, so that Standardizer(2).fit(X) can be written in one line."""

    def fit(self, X):
        super().fit(X)


@mistake("Standardizer")
class AcceptsNoRows(_Scaler):
    """X without rows was accepted, and its mean is nan: raise ValueError."""

    @torch.no_grad()
    def fit(self, X):
        self.mean, self.std = self.statistics(X)
        return self


@mistake("Standardizer")
class UsesTheBatch(_Scaler):
    """forward took the statistics of its own input: use the values that fit stored."""

    def forward(self, x):
        rows = x.reshape(-1, x.shape[-1])
        if len(rows) == 0:
            return x.clone()
        mean, std = self.statistics(rows)
        return (x - mean) / std


@mistake("Standardizer")
class RefitsInTraining(_Scaler):
    """In training mode forward changed mean and std: only fit may do that."""

    def forward(self, x):
        if self.training and x.numel():
            self.fit(x.reshape(-1, x.shape[-1]))
        return (x - self.mean) / self.std


@mistake("Standardizer")
class ChangesTheInput(_Scaler):
    """forward changed x in place: -= and /= write into the caller's tensor."""

    def forward(self, x):
        if not x.requires_grad:
            x -= self.mean
            x /= self.std
            return x
        return (x - self.mean) / self.std


@mistake("Standardizer")
class OnlyShifts(_Scaler):
    """The result was not divided by std."""

    def forward(self, x):
        return x - self.mean


@mistake("Standardizer")
class SubtractsTwoLargeNumbers(_Scaler):
    """The variance is the mean of X * X minus mean * mean, the difference of two large numbers, which loses digits:
    subtract the mean first, then square."""

    def statistics(self, X):
        mean = X.mean(dim=0)
        std = ((X * X).mean(dim=0) - mean**2).clamp(min=0).sqrt()
        return mean, std.masked_fill(std == 0, 1)


@mistake("Standardizer")
class KeepsARowOfX(_Scaler):
    """mean is a row of X itself, the same memory, so it changes when X changes later: store a copy."""

    def statistics(self, X):
        mean, std = super().statistics(X)
        return (X.detach()[0] if len(X) == 1 else mean), std


@mistake("Standardizer")
class FixesTheDtype(_Scaler):
    """The buffers are always created in float32: omit dtype=, so that torch's default dtype applies."""

    def __init__(self, n_features):
        super().__init__(n_features)
        self.float()


@mistake("Standardizer")
class CutsTheGraphInEval(_Scaler):
    """In eval mode no gradient flows back: eval mode doesn't turn off gradients; that is left to the caller's no_grad."""

    def forward(self, x):
        y = super().forward(x)
        return y if self.training else y.detach()


@mistake("Standardizer")
class KeepsWhatFitFound(_Scaler):
    """forward uses separate copies of mean and std that fit stored: load_state_dict or to() change only the
    buffers, so use the buffers in forward."""

    def fit(self, X):
        super().fit(X)
        self.found = [self.mean, self.std]
        return self

    def forward(self, x):
        mean, std = getattr(self, "found", (self.mean, self.std))
        return (x - mean) / std


@mistake("Standardizer")
class HidesNan(Standardizer):
    """nan in x became 0 and inf a large number, as with nan_to_num: the result is (x - mean) / std, also for these."""

    def forward(self, x):
        return super().forward(x).nan_to_num()


@alternative("Standardizer")
class ByHand(Standardizer):
    """The formulas written out, on detached data; one row and constant features fall out of torch.where."""

    def fit(self, X):
        if X.shape[0] < 1:
            raise ValueError("no rows")
        X = X.detach()
        self.mean = X.sum(0) / X.shape[0]
        variance = ((X - self.mean) ** 2).sum(0) / X.shape[0]
        self.std = torch.where(variance > 0, variance.sqrt(), torch.ones_like(variance))
        return self

    def forward(self, x):
        return torch.sub(x, self.mean).div(self.std)


@alternative("Standardizer")
class Replaced(nn.Module):
    """Buffers registered from a loop and copied into; var_mean instead of std."""

    def __init__(self, n_features):
        super().__init__()
        for name, value in (("mean", 0.0), ("std", 1.0)):
            self.register_buffer(name, torch.full((n_features,), value))

    def fit(self, X):
        if X.numel() == 0 and not X.size(0):
            raise ValueError("X is empty")
        with torch.no_grad():
            variance, mean = torch.var_mean(X, dim=0, unbiased=False)
            std = variance.sqrt()
            std[std == 0] = 1
            self.mean.data.copy_(mean)
            self.std.data.copy_(std)
        return self

    def forward(self, x):
        return (x - self.mean) * (1 / self.std)
