"""Known mistakes and unusual but correct solutions for Dropout."""

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


NeverScales = mistake.edited("x * keep / (1 - self.p)", "x * keep",
    "The elements that stay were not scaled: divide them by 1 - p, so that the mean stays the same.",
    pitfall="Without the division")

ScalesInEval = mistake.edited(
    "if not self.training or self.p == 0:\n    return x", "if not self.training:\n    return x * (1 - self.p)",
    "Eval mode multiplied by 1 - p: the scaling belongs to training (divide by 1 - p). In eval mode return x unchanged.",
    also=[("x * keep / (1 - self.p)", "x * keep")])

DividesByP = mistake.edited("(1 - self.p)", "self.p",
    "The elements that stay were divided by p: divide by the probability of staying, 1 - p.")

KeepsWithProbabilityP = mistake.edited(" or self.p == 0:", ":",
    "p was taken as the probability of staying: it is the probability of becoming 0.",
    also=[
        ("self.p == 1", "self.p == 0"),
        ("torch.rand_like(x) >= self.p", "torch.rand_like(x) < self.p"),
        ("(1 - self.p)", "self.p"),
    ])

StaysWithProbabilityP = mistake.edited("torch.rand_like(x) >= self.p", "torch.rand_like(x) < self.p",
    "Elements stay with probability p: they must become 0 with probability p, and stay with 1 - p.")

DrawsFromANormalDistribution = mistake.edited("torch.rand_like(x) >= self.p", "torch.randn_like(x) >= self.p",
    "The mask drops the wrong share, as from torch.randn_like: only numbers that are uniform between 0 and 1 (torch.rand_like) are "
    "below p with probability p.")

TurnsTheModeRound = mistake.edited("if not self.training", "if self.training",
    "Elements are dropped in eval mode and stay in training mode: your test of self.training is the wrong way round.")

AddsASmallNumber = mistake.edited("(1 - self.p)", "(1 - self.p + 1e-8)",
    "A small number was added to 1 - p, which changes every result a little: divide by 1 - p, and handle p = 1 separately.",
    also=[(" or self.p == 0:", ":"), ("if self.p == 1:", "if False:")])

StaysOnInEval = mistake.edited("if not self.training or self.p == 0:", "if False:",
    "Elements were dropped in eval mode too: check self.training.")

ReusesTheMask = mistake.edited("keep = torch.rand_like(x) >= self.p",
    """
    if getattr(self, "mask", None) is None or self.mask.shape != x.shape:
        self.mask = torch.rand_like(x) >= self.p
    keep = self.mask
    """,
    "The same elements were dropped in every call: draw a fresh mask each time.")

SeedsItself = mistake.edited("keep = torch.rand_like(x)", "torch.manual_seed(0)\nkeep = torch.rand_like(x)",
    "The same elements were dropped in every call, because the layer seeds the generator: leave seeding to the caller.")

KeepsTheFirstP = mistake.edited("self.p = p", "self.p = self.first = p",
    "A new value of drop.p had no effect: read self.p in forward, in each call.",
    also=[
        ("self.p == 0", "self.first == 0"),
        ("self.p == 1", "self.first == 1"),
        (">= self.p", ">= self.first"),
        ("(1 - self.p)", "(1 - self.first)"),
    ], about="a_new_p_counts_at_once")

DropsWholeRows = mistake.edited("torch.rand_like(x)", "torch.rand_like(x[..., :1] if x.dim() else x)",
    "Whole rows were dropped together: each element is dropped independently, so draw a mask of the full shape of x.")

SharesTheMaskInTheBatch = mistake.edited("torch.rand_like(x)", "torch.rand_like(x[:1] if x.dim() else x)",
    "All examples lost the same elements: each element is dropped independently, so draw a mask of the full shape of x.")

DropsWholeChannels = mistake.edited("torch.rand_like(x)", "torch.rand(x.shape[:2] + (1,) * (x.dim() - 2), device=x.device)",
    "With three or more axes, whole channels were dropped together: each element is dropped independently, so draw a mask of "
    "the full shape of x.")

DropsByFunction = mistake.edited("keep = torch.rand_like(x) >= self.p\nreturn x * keep / (1 - self.p)",
    "return nn.functional.dropout(x, self.p)",
    "PyTorch's own dropout does all the work: draw the mask and scale x yourself.",
    forbidden="nn.functional.dropout and torch.dropout")


@mistake("Dropout", forbidden="nn.Dropout")
class IsNnDropout(nn.Dropout):
    """PyTorch's own dropout does all the work: draw the mask and scale x yourself."""


DividesByZero = mistake.edited("if self.p == 1:", "if False:",
    "With p = 1 the result is nan, because of a division by 1 - p = 0: handle p = 1 separately.")

FreshZerosForOne = mistake.edited("x * 0", "torch.zeros_like(x)",
    "With p = 1 the zeros are a new tensor that has nothing to do with x, so backward() finds no graph: compute them from x, "
    "as x * 0.")

ChangesTheInput = mistake.edited("return x * keep / (1 - self.p)",
    """
    with torch.no_grad():
        x.copy_(x * keep / (1 - self.p))
    return x
    """,
    "x itself was changed: multiply into a new tensor.",
    also=[("return x * 0", "with torch.no_grad():\n    x.zero_()\nreturn x")])

CutsTheGraph = mistake.edited("if not self.training or self.p == 0:", "x = x.detach()\nif not self.training or self.p == 0:",
    "No gradient reaches x: autograd must see the product, so don't detach x and don't turn gradients off.")

AcceptsAnyP = mistake.edited("if not 0 <= p <= 1:", "if False:",
    "p outside 0 to 1 was accepted: raise ValueError in the constructor.")

RefusesOne = mistake.edited("0 <= p <= 1", "0 <= p < 1",
    "p = 1 was rejected: 0 and 1 are both allowed.")

ExactShare = mistake.edited(
    "torch.rand_like(x) >= self.p", "torch.randperm(x.numel(), device=x.device).reshape(x.shape) >= round(self.p * x.numel())",
    "A fixed fraction of the elements was dropped: each element is dropped independently, so the number varies.")

MaskInFloat32 = mistake.edited("x * keep /", "x * keep.float() /",
    "The result is float32 where x is bfloat16, as after mask.float(): make the mask in the dtype of x.",
    also=[("torch.rand_like(x)", "torch.rand(x.shape, device=x.device)")])

ScalesInFloat32 = mistake.edited("x * keep / (1 - self.p)", "(x.float() * keep / (1 - self.p)).to(x.dtype)",
    "The result is computed in float32 and converted back, so a float64 x keeps only seven digits: stay in the dtype of x.")

StopsWithoutGraph = mistake.edited("if not self.training or", "if not torch.is_grad_enabled() or not self.training or",
    "Nothing was dropped under torch.no_grad(): self.training decides, not grad mode.")

CutsTheGraphInEval = mistake.edited("if not self.training or self.p == 0:",
    """
    if not self.training:
        return x.detach()
    if not self.training or self.p == 0:
    """,
    "In eval mode the result is detached from x, so no gradient flows: return x itself.")

SavesTheMask = mistake.edited(
    "keep = torch.rand_like(x) >= self.p", 'self.register_buffer("mask", torch.rand_like(x) >= self.p)\nkeep = self.mask',
    "The mask of a call is registered as a buffer, so it gets into the state_dict: a mask is a local variable.")

PassesASingleElement = mistake.edited("keep = torch.rand_like(x)",
    """
    if x.numel() == 1:
        return x
    keep = torch.rand_like(x)
    """,
    "An x of one element was returned unchanged: the rule is the same for any size, including ().")

SharesTheCoinInPairs = mistake.edited("keep = torch.rand_like(x) >= self.p",
    """
    coins = torch.rand(x.numel() // 2 + 1, device=x.device) >= self.p
    keep = coins.repeat_interleave(2)[: x.numel()].reshape(x.shape)
    """,
    "Neighbors were kept or dropped together: each element is dropped independently, so draw a number for each.")

RepeatsTheMask = mistake.edited("keep = torch.rand_like(x) >= self.p",
    """
    coins = torch.rand(x.numel() // 2 + 1, device=x.device) >= self.p
    keep = coins.repeat(2)[: x.numel()].reshape(x.shape)
    """,
    "One short mask was repeated: each element is dropped independently, so draw a number for each.")

TurnsTheNumbersRound = mistake.edited("self.p = p", "self.p = p\nself.last = None",
    "What a call drops depends on what the previous call dropped, so it is not random: draw new numbers in each call.",
    also=[("keep = torch.rand_like(x) >= self.p",
        """
        last, self.last = self.last, None
        if last is not None and last.shape == x.shape and last.device == x.device:
            keep = 1 - last >= self.p
        else:
            self.last = torch.rand(x.shape, device=x.device)
            keep = self.last >= self.p
        """)])

TakesFeatureDropout = mistake.edited("if not self.training or self.p == 0:",
    """
    if x.numel():
        return nn.functional.dropout1d(x.reshape(1, -1, 1), self.p, self.training).reshape(x.shape)
    if not self.training or self.p == 0:
    """,
    "One of PyTorch's own dropout functions does the work: draw a mask and multiply.",
    forbidden="nn.functional.dropout and torch.dropout")

ReadsMemoryInOrder = mistake.edited("keep = torch.rand_like(x)",
    """
    if x.numel() and 0 not in x.stride():
        x = x.as_strided((x.numel(),), (1,)).reshape(x.shape)
    keep = torch.rand_like(x)
    """,
    "For a non-contiguous x the numbers are in wrong positions, as if its memory were read in order: use x itself or reshape.")

LosesNegativeNumbers = mistake.edited("x * keep / (1 - self.p)", "torch.where(x * keep > 0, x / (1 - self.p), 0.0)",
    "Negative numbers became 0, too, as when `x * mask > 0` decides what stays: use the mask alone.")

LooksAtRequiresGrad = mistake.edited("if not self.training or", "if not x.requires_grad or not self.training or",
    "Nothing was dropped where x does not require grad: self.training decides, and nothing else.")

ChoosesAfterDividing = mistake.edited("if self.p == 1:", "if False:",
    "With p = 1 the gradient is nan, though the result is 0: a division by 1 - p = 0 spoils the backward pass even where "
    "its result is not used. Handle p = 1 separately.",
    also=[("x * keep / (1 - self.p)", "torch.where(keep, x / (1 - self.p), 0.0)")])

LosesTheOnlyAxis = mistake.edited("torch.rand_like(x)", "torch.rand(x.shape or (1,), device=x.device)",
    "A 0-dim x came back with one axis: draw a mask of exactly the shape of x, which may be ().")

AsksTheResult = mistake.edited("x * keep / (1 - self.p)", "torch.where(x * keep != 0, x / (1 - self.p), 0.0)",
    "A number of x that is 0 always counts as dropped, as if the product decided what stays: its gradient is 0 in every "
    "call. Use the mask alone.")

ScalesThereAndBack = mistake.edited("if not self.training or self.p == 0:",
    """
    if not self.training and self.p < 1:
        return x * (1 - self.p) / (1 - self.p)
    if not self.training or self.p == 0:
    """,
    "In eval mode the result differs from x by rounding, as if x were scaled and scaled back: return x unchanged.")


def dropout(x, p):
    """A function of one's own with a well-known name."""
    return x * (torch.rand(x.shape, device=x.device) >= p) / (1 - p)


OwnFunction = alternative.edited(
    "keep = torch.rand_like(x) >= self.p\nreturn x * keep / (1 - self.p)", "return dropout(x, self.p)",
    "A function of that name does the work.")


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
