"""Known mistakes and unusual but correct solutions for Standardizer."""

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


TrainsTheStatistics = mistake.edited(
    'self.register_buffer("mean", torch.zeros(n_features))', "self.mean = nn.Parameter(torch.zeros(n_features))",
    "mean and std are parameters, but nothing should train them: use register_buffer.",
    also=[('self.register_buffer("std", torch.ones(n_features))', "self.std = nn.Parameter(torch.ones(n_features))")])

PlainAttributes = mistake.edited('self.register_buffer("mean", torch.zeros(n_features))', "self.mean = torch.zeros(n_features)",
    "mean and std are plain attributes: they are not saved and stay behind when the module moves. Use register_buffer.",
    also=[
        ('self.register_buffer("std", torch.ones(n_features))', "self.std = torch.ones(n_features)"),
        ("self.mean.copy_(X.mean(dim=0))", "self.mean = X.mean(dim=0)"),
        ("self.std.copy_(std.masked_fill(std == 0, 1))", "self.std = std.masked_fill(std == 0, 1)"),
    ],
    pitfall="makes a plain attribute")

NotSaved = mistake.edited("torch.zeros(n_features))", "torch.zeros(n_features), persistent=False)",
    "The buffers are not part of state_dict: register them as persistent, which is the default.",
    also=[("torch.ones(n_features))", "torch.ones(n_features), persistent=False)")])

KeepsTheGraph = mistake.edited("@torch.no_grad()", "",
    "When X requires grad, mean and std are part of its graph: compute them under torch.no_grad().")

FreezesTheData = mistake.edited("if len(X) == 0:",
    """
    if X.is_leaf:
        X.requires_grad_(False)
    if len(X) == 0:
    """,
    "fit turned off requires_grad of X, which belongs to the caller: work on X.detach(), your own tensor.")

DividesByOneLess = mistake.edited("correction=0", "correction=1 if len(X) > 1 else 0",
    "std divided by n - 1, which is torch's default: divide by n, for example with correction=0.")

DividesByOneLessAlways = mistake.edited("X.std(dim=0, correction=0)", "X.std(dim=0)",
    "std divided by n - 1, which is torch's default: divide by n, for example with correction=0.")

FitsInFloat32 = mistake.edited("std = X.std(", "X = X.float()\nstd = X.std(",
    "mean and std of float64 data have only seven correct digits: they went through float32. Keep the dtype of X.")

OneNumberForAllFeatures = mistake.edited("X.std(dim=0, correction=0)", "X.std(correction=0)",
    "All features share one mean and one std: take the statistics over axis 0, one number per feature.",
    also=[("X.mean(dim=0)", "X.mean()")])

OneNumberForEachRow = mistake.edited("X.std(dim=0, correction=0)", "X.std(dim=1, correction=0)",
    "mean and std were taken along each row: take them over axis 0, which gives one number per feature.",
    also=[("self.mean.copy_(X.mean(dim=0))", "self.mean = X.mean(dim=1)"),
        ("self.std.copy_(std.masked_fill(std == 0, 1))", "self.std = std.masked_fill(std == 0, 1)")])

KeepsTheRowAxis = mistake.edited("X.std(dim=0, correction=0)", "X.std(dim=0, correction=0, keepdim=True)",
    "mean and std have the shape (1, n_features) after fit: they must stay (n_features,), so reduce without keepdim.",
    also=[("self.mean.copy_(X.mean(dim=0))", "self.mean = X.mean(dim=0, keepdim=True)"),
        ("self.std.copy_(std.masked_fill(std == 0, 1))", "self.std = std.masked_fill(std == 0, 1)")])

StoresTheVariance = mistake.edited("X.std(", "X.var(",
    "std holds the variance: take its square root.")

KeepsAStdOfZero = mistake.edited("std.masked_fill(std == 0, 1)", "std",
    "A constant feature has std 0, and 0 / 0 is nan: set its std to 1.")

AddsASmallNumber = mistake.edited("std.masked_fill(std == 0, 1)", "std + 1e-6",
    "A small number was added to std: store the exact std, and 1 where it is 0.")

TinyCountsAsZero = mistake.edited("std == 0", "std < 1e-12",
    "Every std below a small threshold became 1: a feature may be measured in tiny units, so replace only a std of exactly 0.")

ReturnsNothing = mistake.edited("return self", "",
    "fit returned None: return self, so that Standardizer(2).fit(X) can be written in one line.",
    occurrence=2)

AcceptsNoRows = mistake.edited("if len(X) == 0:", "if False:",
    "X without rows was accepted, and its mean is nan: raise ValueError.")

RefusesOneRow = mistake.edited("if len(X) == 0:", "if len(X) < 2:",
    "An X with a single row was rejected: only X without rows is an error, and one row gives std 1.")

UsesTheBatch = mistake.edited("return (x - self.mean) / self.std",
    """
    rows = x.reshape(-1, x.shape[-1])
    if len(rows) == 0:
        return x.clone()
    std = rows.std(dim=0, correction=0)
    return (x - rows.mean(dim=0)) / std.masked_fill(std == 0, 1)
    """,
    "forward took the statistics of its own input: use the values that fit stored.")

RefitsInTraining = mistake.edited("return (x - self.mean) / self.std",
    """
    if self.training and x.numel():
        self.fit(x.reshape(-1, x.shape[-1]))
    return (x - self.mean) / self.std
    """,
    "In training mode forward changed mean and std: only fit may do that.")

ChangesTheInput = mistake.edited("return (x - self.mean) / self.std",
    """
    if not x.requires_grad:
        x -= self.mean
        x /= self.std
        return x
    return (x - self.mean) / self.std
    """,
    "forward changed x in place: -= and /= write into the caller's tensor.")

OnlyShifts = mistake.edited("(x - self.mean) / self.std", "x - self.mean",
    "The result was not divided by std.")

SubtractsTwoLargeNumbers = mistake.edited(
    "X.std(dim=0, correction=0)", "((X * X).mean(dim=0) - X.mean(dim=0) ** 2).clamp(min=0).sqrt()",
    "std lost digits, as the difference of two large numbers does (the mean of X * X minus mean * mean): subtract the mean first, then square.")

KeepsARowOfX = mistake.edited("self.mean.copy_(X.mean(dim=0))", "self.mean = X.detach()[0] if len(X) == 1 else X.mean(dim=0)",
    "mean is a row of X itself, the same memory, so it changes when X changes later: store a copy.")

FixesTheDtype = mistake.edited("torch.zeros(n_features)", "torch.zeros(n_features, dtype=torch.float32)",
    "The buffers are always created in float32: give them no dtype, so that torch's default dtype applies.",
    also=[("torch.ones(n_features)", "torch.ones(n_features, dtype=torch.float32)")])

CutsTheGraphInEval = mistake.edited(
    "return (x - self.mean) / self.std", "y = (x - self.mean) / self.std\nreturn y if self.training else y.detach()",
    "In eval mode no gradient flows back: eval mode doesn't turn off gradients; that is left to the caller's no_grad.")

KeepsWhatFitFound = mistake.edited("return self", "self.found = [self.mean, self.std]\nreturn self",
    "forward uses separate copies of mean and std that fit stored: load_state_dict or to() change only the buffers, so use "
    "the buffers in forward.",
    occurrence=2, also=[("return (x - self.mean) / self.std",
        """
        mean, std = getattr(self, "found", (self.mean, self.std))
        return (x - mean) / std
        """)])

HidesNan = mistake.edited("(x - self.mean) / self.std", "((x - self.mean) / self.std).nan_to_num()",
    "nan in x became 0 and inf a large number, as with nan_to_num: the result is (x - mean) / std, also for these.")


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
