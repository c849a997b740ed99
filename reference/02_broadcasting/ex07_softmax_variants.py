"""Known mistakes and unusual but correct solutions for softmax."""

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place: exps = torch.exp_(x - x.amax(dim, keepdim=True))": "works on a temporary tensor that nobody else sees",
}

HINTS = (
    "What changes in the formula if you subtract the same number from every entry of a slice? Which number "
    "keeps exp from becoming inf?",
    "exp(x - m) divided by the sum of exp(x - m) is the same for every m. With m the largest entry of the "
    "slice, the largest exp is exactly 1. m belongs to the slice, so it needs the axis dim with size 1.",
    "Take the maximum along dim with the axis kept, subtract it inside exp, then divide by the sum along "
    "dim, again with the axis kept.",
)


def weights(x, top, dim):
    """exp(x - top), divided by the sum along dim."""
    exps = torch.exp(x - top)
    return exps / exps.sum(dim, keepdim=True)


no_shift = mistake.edited("x - x.amax(dim, keepdim=True)", "x",
    "exp of a large number is inf, and inf / inf is nan: subtract the maximum of each slice before exp.")

one_maximum_for_all = mistake.edited("x.amax(dim, keepdim=True)", "(x.max() if x.numel() else 0.0)",
    "You subtract one maximum for the whole tensor, so a slice far below it becomes 0 / 0, which is nan. Take the "
    "maximum along dim.")

always_the_last_axis = mistake.edited("x.amax(dim,", "x.amax(-1,",
    "You always used the last axis: use the axis dim.",
    also=[("exps.sum(dim,", "exps.sum(-1,")])

always_the_first_axis = mistake.edited("x.amax(dim,", "x.amax(0,",
    "You always used the first axis: use the axis dim.",
    also=[("exps.sum(dim,", "exps.sum(0,")])

sum_loses_its_axis = mistake.edited("return exps / exps.sum(dim, keepdim=True)", "return exps / exps.sum(dim)",
    "The sum lost its axis, so the division used the wrong axis (or raised an error): pass keepdim=True.",
    pitfall="A maximum or a sum along an axis removes it")

sums_over_everything = mistake.edited("return exps / exps.sum(dim, keepdim=True)", "return exps / exps.sum()",
    "You divided by the sum of the whole tensor: each slice along dim must sum to 1 by itself.")

maximum_outside_exp = mistake.edited(
    "torch.exp(x - x.amax(dim, keepdim=True))", "torch.exp(x) - x.amax(dim, keepdim=True)",
    "You subtracted the maximum after exp: it belongs inside, exp(x - max). Outside it changes the answer.",
    about="agrees_along_every_axis")

shift_by_the_mean = mistake.edited("x.amax(", "x.mean(",
    "You subtract a number that can be far below the maximum, such as the mean: exp may still become inf, and one "
    "-inf spoils the whole slice. Subtract the maximum.")

a_little_extra_in_the_sum = mistake.edited("exps.sum(dim, keepdim=True)", "(exps.sum(dim, keepdim=True) + 1e-6)",
    "You added a small number to the sum, so the weights do not quite sum to 1: after subtracting the maximum the sum is "
    "at least 1 and needs no protection.")

two_ways_and_where = mistake.edited(
    "exps = torch.exp(x - x.amax(dim, keepdim=True))", "small = x.abs().amax(dim, keepdim=True) < 10",
    "torch.where selects between two results, and the one that overflows puts nan into the gradient although it is not "
    "selected: always subtract the maximum.",
    also=[("exps / exps.sum(dim, keepdim=True)",
         "torch.where(small, weights(x, 0.0, dim), weights(x, x.amax(dim, keepdim=True), dim))")])

maximum_added_back = mistake.edited(
    "exps = torch.exp(x - x.amax(dim, keepdim=True))", "top = x.amax(dim, keepdim=True)",
    "You added the maximum to the logarithm of the sum, and large numbers lose its digits: subtract the maximum from x "
    "first, then the logarithm.",
    also=[("exps / exps.sum(dim, keepdim=True)", "torch.exp(x - (top + torch.exp(x - top).sum(dim, keepdim=True).log()))")])

writes_into_x = mistake.edited(
    "exps = torch.exp(x - x.amax(dim, keepdim=True))",
    "with torch.no_grad():\n    x -= x.amax(dim, keepdim=True)\nexps = torch.exp(x)",
    "You changed the caller's x: -= writes in place. Write x - ... instead.")

always_float32 = mistake.edited(
    "exps = torch.exp(x - x.amax(dim, keepdim=True))",
    "x = x.float()\nexps = torch.exp(x - x.amax(dim, keepdim=True))",
    "Your result is float32 whatever x is: keep the dtype of x, or float64 loses digits.")

another_name_for_dim = mistake.edited("dim: int", "axis: int",
    "The second argument must be called dim, because callers may pass it by name: don't change the first line of the "
    "function.",
    also=[("x.amax(dim,", "x.amax(axis,"), ("exps.sum(dim,", "exps.sum(axis,")])

no_weight_where_all_is_masked = mistake.edited(
    "exps / exps.sum(dim, keepdim=True)", "(exps / exps.sum(dim, keepdim=True)).nan_to_num(0.0)",
    "A slice in which every entry is -inf got zeros: it must be nan, as in PyTorch's own softmax; zeros would hide a mask "
    "that leaves nothing.")

masks_by_a_large_number = mistake.edited(
    "exps = torch.exp(x - x.amax(dim, keepdim=True))",
    "x = x.clamp(min=torch.finfo(x.dtype).min)\nexps = torch.exp(x - x.amax(dim, keepdim=True))",
    "A slice of only -inf got equal weights instead of nan, as when -inf is replaced by a large negative number. Keep "
    "-inf; exp makes it 0.")


one_constant_for_all = mistake.edited(
    "x.amax(dim, keepdim=True)",
    "(x.detach().max() if x.numel() else 0.0)",
    "You subtract one maximum for the whole tensor, so a slice far below it becomes 0 / 0, which is nan. Take the "
    "maximum along dim.")


maximum_loses_its_axis = mistake.edited(
    "x.amax(dim, keepdim=True)",
    "x.amax(dim)",
    "The maximum along dim has lost its axis, so it lines up with another axis (or raises an error). Pass "
    "keepdim=True.",
    pitfall="A maximum or a sum along an axis removes it")


both_lose_their_axis = mistake.edited(
    "x.amax(dim, keepdim=True)",
    "x.amax(dim)",
    "The maximum and the sum along dim have lost their axis, so they line up with another axis (or raise an error). "
    "Pass keepdim=True to both.",
    also=[("return exps / exps.sum(dim, keepdim=True)", "return exps / exps.sum(dim)")],
    pitfall="A maximum or a sum along an axis removes it")


sum_gets_its_axis_at_the_end = mistake.edited(
    "exps.sum(dim, keepdim=True)",
    "exps.sum(dim).unsqueeze(-1)",
    "The lost axis of the sum is put back at the end: it belongs where dim was. Pass keepdim=True, or "
    "unsqueeze(dim).")


large_numbers_are_cut = mistake.edited(
    "x - x.amax(dim, keepdim=True)",
    "x.clamp(max=80)",
    "Large numbers are cut off before exp, so they all count the same, and very negative ones still give 0 / 0. "
    "Subtract the maximum of each slice instead.")


shifts_above_the_line_only = mistake.edited(
    "return exps / exps.sum(dim, keepdim=True)",
    "return exps / torch.exp(x).sum(dim, keepdim=True)",
    "The maximum is subtracted above the fraction line only: the sum must be that of the same exps.",
    about="agrees_along_every_axis")


divides_by_the_maximum = mistake.edited(
    "x - x.amax(dim, keepdim=True)",
    "x / x.amax(dim, keepdim=True)",
    "You divide by the maximum, which changes the answer: subtract it.",
    about="agrees_along_every_axis")


@mistake("softmax", forbidden="PyTorch's own softmax")
def calls_softmax(x, dim):
    """PyTorch's own softmax does all the work: write it with exp, amax and sum."""
    return torch.softmax(x, dim)


@mistake("softmax", forbidden="log_softmax")
def calls_log_softmax(x, dim):
    """PyTorch's own softmax does all the work: write it with exp, amax and sum."""
    return x.log_softmax(dim).exp()


@mistake("softmax", forbidden="softmin")
def calls_softmin(x, dim):
    """PyTorch's own softmax does all the work: write it with exp, amax and sum."""
    return torch.nn.functional.softmin(-x, dim)


@mistake("softmax", forbidden="logsumexp")
def calls_logsumexp(x, dim):
    """logsumexp does the work: write softmax with exp, amax and sum."""
    shifted = x - x.amax(dim, keepdim=True)
    return (shifted - shifted.logsumexp(dim, keepdim=True)).exp()


@alternative("softmax")
def through_the_logarithm(x, dim):
    """The logarithm of the sum is subtracted before a second exp."""
    top, _ = torch.max(x.detach(), dim=dim, keepdim=True)
    shifted = x - top
    return torch.exp(shifted - shifted.exp().sum(dim, keepdim=True).log())


@alternative("softmax")
def axis_moved_to_the_front(x, dim):
    """In front the axis needs no keepdim: broadcasting lines up the others at the right."""
    front = x.movedim(dim, 0)
    exps = (front - front.max(0).values).exp()
    return exps.div(exps.sum(0)).movedim(0, dim)


@alternative("softmax")
def unsqueeze_by_hand(x, dim):
    """Lost axes put back where they were."""
    top = x.amax(dim).unsqueeze(dim)
    exps = torch.exp(torch.sub(x, top))
    return exps * exps.sum(dim).reciprocal().unsqueeze(dim)
