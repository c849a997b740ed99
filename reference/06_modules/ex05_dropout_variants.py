"""Known mistakes and odd-but-correct solutions for Dropout."""

import torch
from ex05_dropout import Dropout
from torch import nn

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "change_logic: if not self.training:": "with p = 0 no number is below p, and dividing by 1 changes nothing",
    "flip_minus: return -(x * 0)": "minus zero is zero",
    "change_comparison: keep = torch.rand_like(x) > self.p": "a random number that is exactly p is too rare to be graded",
}

HINTS = (
    "What should be the mean of a long result, when x is all ones? And what changes when you call eval()?",
    "A uniform random number is below p with probability p. Draw one for every element, on the device of x, "
    "and only when self.training is true. Handle p = 1 separately: 1 - p is 0 there.",
    "Return x early in eval mode. Otherwise compare fresh uniform numbers of the shape of x with p, multiply "
    "x by the result, and divide by the probability of staying; guard the case in which that probability is "
    "0.",
)


class _Drop(Dropout):
    """The reference with its mask and its scale taken out, so that each mistake shows its line."""

    def keep(self, x):
        """Return which elements stay."""
        return torch.rand_like(x) >= self.p

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        return x * 0 if self.p == 1 else x * self.keep(x) / (1 - self.p)


@mistake("Dropout")
class NeverScales(_Drop):
    """The elements that stay were not scaled: divide them by 1 - p, so that the mean stays the same."""

    def forward(self, x):
        return x * self.keep(x) if self.training else x


@mistake("Dropout")
class ScalesInEval(_Drop):
    """Eval mode multiplied by 1 - p: the scaling belongs to training (divide by 1 - p), in eval mode return x
    unchanged."""

    def forward(self, x):
        return x * self.keep(x) if self.training else x * (1 - self.p)


@mistake("Dropout")
class DividesByP(_Drop):
    """The elements that stay were divided by p: divide by the probability of staying, 1 - p."""

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        return x * self.keep(x) / self.p


@mistake("Dropout")
class KeepsWithProbabilityP(_Drop):
    """p was taken as the probability of staying: it is the probability of becoming 0."""

    def forward(self, x):
        if not self.training:
            return x
        return x * 0 if self.p == 0 else x * (torch.rand_like(x) < self.p) / self.p


@mistake("Dropout")
class StaysOnInEval(_Drop):
    """Elements were dropped in eval mode too: check self.training."""

    def forward(self, x):
        if self.p == 1:
            return x * 0
        return x * self.keep(x) / (1 - self.p)


@mistake("Dropout")
class ReusesTheMask(_Drop):
    """The same elements were dropped in every call: draw a fresh mask each time."""

    mask = None

    def keep(self, x):
        if self.mask is None or self.mask.shape != x.shape:
            self.mask = super().keep(x)
        return self.mask


@mistake("Dropout")
class SeedsItself(_Drop):
    """The same elements were dropped in every call, because the layer seeds the generator:
    leave seeding to the caller.
    """

    def keep(self, x):
        torch.manual_seed(0)
        return super().keep(x)


@mistake("Dropout", about="a_new_p_counts_at_once")
class KeepsTheFirstP(_Drop):
    """A new value of drop.p had no effect, because the layer uses a copy from the constructor: read self.p in forward."""

    def __init__(self, p=0.5):
        super().__init__(p)
        self.first = p

    def forward(self, x):
        if not self.training or self.first == 0:
            return x
        return x * 0 if self.first == 1 else x * (torch.rand_like(x) >= self.first) / (1 - self.first)


@mistake("Dropout")
class DropsWholeRows(_Drop):
    """Whole rows were dropped together: each element is dropped independently, so draw a mask of the full shape of
    x."""

    def keep(self, x):
        return super().keep(x[..., :1]) if x.dim() else super().keep(x)


@mistake("Dropout")
class SharesTheMaskInTheBatch(_Drop):
    """All examples lost the same elements: each element is dropped independently, so draw a mask of the full shape
    of x."""

    def keep(self, x):
        return super().keep(x[:1]) if x.dim() else super().keep(x)


@mistake("Dropout")
class DropsWholeChannels(_Drop):
    """With three or more axes, whole channels were dropped together: each element is dropped independently, so draw
    a mask of the full shape of x."""

    def keep(self, x):
        return torch.rand(x.shape[:2] + (1,) * (x.dim() - 2), device=x.device) >= self.p


@mistake("Dropout")
class DividesByZero(_Drop):
    """With p = 1 the result is nan, because 0 was divided by 1 - p = 0: handle p = 1 separately."""

    def forward(self, x):
        return x * self.keep(x) / (1 - self.p) if self.training else x


@mistake("Dropout")
class FreshZerosForOne(_Drop):
    """With p = 1 the zeros are a new tensor that has nothing to do with x, so backward() finds no graph:
    compute them from x, as x * 0.
    """

    def forward(self, x):
        return torch.zeros_like(x) if self.training and self.p == 1 else super().forward(x)


@mistake("Dropout")
class ChangesTheInput(_Drop):
    """x itself was changed: multiply into a new tensor."""

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        scale = 0.0 if self.p == 1 else 1 / (1 - self.p)
        with torch.no_grad():
            x.copy_(x * self.keep(x) * scale)
        return x


@mistake("Dropout")
class CutsTheGraph(_Drop):
    """No gradient reaches x: do not detach it, autograd must see the product."""

    def forward(self, x):
        return super().forward(x.detach())


@mistake("Dropout")
class AcceptsAnyP(_Drop):
    """p outside 0 to 1 was accepted: raise ValueError in the constructor."""

    def __init__(self, p=0.5):
        nn.Module.__init__(self)
        self.p = p


@mistake("Dropout")
class RefusesOne(_Drop):
    """p = 1 was refused: 0 and 1 are both allowed."""

    def __init__(self, p=0.5):
        if not 0 <= p < 1:
            raise ValueError("p must lie between 0 and 1")
        super().__init__(p)


@mistake("Dropout")
class ExactShare(_Drop):
    """A fixed fraction of the elements was dropped: each element is dropped independently, so the number varies."""

    def keep(self, x):
        order = torch.randperm(x.numel(), device=x.device).reshape(x.shape)
        return order >= round(self.p * x.numel())


@mistake("Dropout")
class MaskInFloat32(_Drop):
    """The result is float32 where x is bfloat16 or float16, as after mask.float(): make the mask in the dtype of x."""

    def forward(self, x):
        if not self.training:
            return x
        if self.p == 1:
            return x * 0
        mask = torch.rand(x.shape, device=x.device) >= self.p
        return x * mask.float() / (1 - self.p)


@mistake("Dropout")
class ScalesInFloat32(_Drop):
    """The result is computed in float32 and converted back, so a float64 x keeps only seven digits: stay in the dtype of x."""

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        return x * 0 if self.p == 1 else (x.float() * self.keep(x) / (1 - self.p)).to(x.dtype)


@mistake("Dropout")
class StopsWithoutGraph(_Drop):
    """Nothing was dropped under torch.no_grad(): self.training decides, not grad mode."""

    def forward(self, x):
        return super().forward(x) if torch.is_grad_enabled() else x


@mistake("Dropout")
class CutsTheGraphInEval(_Drop):
    """In eval mode the result is detached from x, so no gradient flows: return x itself."""

    def forward(self, x):
        return super().forward(x) if self.training else x.detach()


@mistake("Dropout")
class SavesTheMask(_Drop):
    """The mask of a call is registered as a buffer, so it gets into the state_dict: a mask is a local variable."""

    def forward(self, x):
        if not self.training or self.p in (0, 1):
            return super().forward(x)
        self.register_buffer("mask", self.keep(x))
        return x * self.mask / (1 - self.p)


@mistake("Dropout")
class PassesASingleElement(_Drop):
    """An x of one element was returned unchanged: the rule is the same for any size, including ()."""

    def forward(self, x):
        return x if x.numel() == 1 and 0 < self.p < 1 else super().forward(x)


@mistake("Dropout")
class SharesTheCoinInPairs(_Drop):
    """Neighbors were kept or dropped together: each element is dropped independently, so draw a number for each."""

    def keep(self, x):
        coins = torch.rand(x.numel() // 2 + 1, device=x.device) >= self.p
        return coins.repeat_interleave(2)[: x.numel()].reshape(x.shape)


@mistake("Dropout")
class RepeatsTheMask(_Drop):
    """One short mask was repeated: each element is dropped independently, so draw a number for each."""

    def keep(self, x):
        coins = torch.rand(x.numel() // 2 + 1, device=x.device) >= self.p
        return coins.repeat(2)[: x.numel()].reshape(x.shape)


@mistake("Dropout")
class TurnsTheNumbersRound(_Drop):
    """Every second call used 1 minus the random numbers of the previous call, so its mask is not random: draw in each call."""

    last = None

    def keep(self, x):
        if self.last is not None and self.last.shape == x.shape and self.last.device == x.device:
            numbers, self.last = 1 - self.last, None
        else:
            numbers = self.last = torch.rand(x.shape, device=x.device)
        return numbers >= self.p


@mistake("Dropout")
class TakesFeatureDropout(_Drop):
    """F.dropout1d is one of PyTorch's own dropout functions: draw a mask and multiply."""

    def forward(self, x):
        return nn.functional.dropout1d(x.reshape(1, -1, 1), self.p, self.training).reshape(x.shape) if x.numel() else x


@mistake("Dropout")
class ReadsMemoryInOrder(_Drop):
    """A non-contiguous x was read in the order of its memory: as_strided ignores the strides of x, so use x itself or reshape."""

    def forward(self, x):
        if not self.training or self.p in (0, 1) or 0 in x.stride():
            return super().forward(x)
        flat = x.as_strided((x.numel(),), (1,)) if x.numel() else x.flatten()
        return (flat * self.keep(flat) / (1 - self.p)).reshape(x.shape)


@mistake("Dropout")
class LosesNegativeNumbers(_Drop):
    """Negative numbers became 0, too, as when `x * mask > 0` decides what stays: use the mask alone."""

    def forward(self, x):
        if not self.training or self.p in (0, 1):
            return super().forward(x)
        return torch.where(x * self.keep(x) > 0, x / (1 - self.p), 0.0)


@mistake("Dropout")
class LooksAtRequiresGrad(_Drop):
    """Nothing was dropped where x does not require grad: self.training decides, and nothing else."""

    def forward(self, x):
        return super().forward(x) if x.requires_grad else x


@mistake("Dropout")
class ChoosesAfterDividing(_Drop):
    """With p = 1 the gradient is nan, though the result is 0: torch.where multiplies 0 by the derivative 1 / (1 -
    p) of the branch that it did not choose, which is inf. Handle p = 1 separately."""

    def forward(self, x):
        return torch.where(self.keep(x), x / (1 - self.p), 0.0) if self.training else x


@mistake("Dropout")
class LosesTheOnlyAxis(_Drop):
    """An x without axes came back with one: draw a mask of exactly the shape of x, which may be ()."""

    def keep(self, x):
        return torch.rand(x.shape or (1,), device=x.device) >= self.p


@mistake("Dropout")
class AsksTheResult(_Drop):
    """What stays was inferred from the product, where a number that was already 0 looks dropped: its gradient is 0
    in every call. Use the mask alone."""

    def forward(self, x):
        if not self.training or self.p in (0, 1):
            return super().forward(x)
        return torch.where(x * self.keep(x) != 0, x / (1 - self.p), 0.0)


@mistake("Dropout")
class ScalesThereAndBack(_Drop):
    """In eval mode x was multiplied by 1 - p and divided by it again, which introduces rounding: return x unchanged."""

    def forward(self, x):
        if self.training or self.p == 1:
            return super().forward(x)
        return x * (1 - self.p) / (1 - self.p)


def dropout(x, p):
    """A function of one's own with a well-known name."""
    return x * (torch.rand(x.shape, device=x.device) >= p) / (1 - p)


@alternative("Dropout")
class OwnFunction(Dropout):
    """A function of that name does the work."""

    def forward(self, x):
        return dropout(x, self.p) if self.training and 0 < self.p < 1 else super().forward(x)


@alternative("Dropout")
class Bernoulli(Dropout):
    """The mask comes from bernoulli_ and is already scaled."""

    def forward(self, x):
        if not self.training:
            return x.clone()
        stay = 1 - self.p
        mask = torch.empty_like(x, requires_grad=False).bernoulli_(stay)
        if stay > 0:
            mask = mask / stay
        return mask * x


@alternative("Dropout")
class WhereOnNewNumbers(nn.Module):
    """torch.where chooses between zero and the scaled value."""

    def __init__(self, p=0.5):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"not a probability: {p}")
        self.p = p

    def forward(self, x):
        if self.training is False:
            return x
        dropped = torch.rand(x.shape, dtype=x.dtype, device=x.device) < self.p
        scaled = x / (1 - self.p) if self.p < 1 else x
        return scaled.masked_fill(dropped, 0.0)
