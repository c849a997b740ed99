"""Known mistakes and unusual but correct solutions for log1pexp."""

import math

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place: return x.clamp(min=0) + torch.log1p(torch.exp_(-x.abs()))": "works on a temporary tensor that nobody else sees",
}

HINTS = (
    "Which part of the formula becomes inf first, and for which x? Can you keep exp away from positive "
    "numbers?",
    "Take exp(x) out of the logarithm: log(1 + exp(x)) = x + log(1 + exp(-x)). One form is good for "
    "positive x, the other for negative x, and -abs(x) is never positive. For tiny z, 1 + z rounds to 1, "
    "but log1p(z) does not.",
    "Both forms share the term log1p(exp(-|x|)). What has to be added is x where x is positive and 0 "
    "elsewhere; clamp does that without a choice between branches.",
)


the_formula_as_it_stands = mistake.edited(
    "x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))", "torch.log(1 + torch.exp(x))",
    "For large x a step in between becomes inf or 0, so your answer is inf: exp must never see a large positive "
    "number. For negative x, 1 plus a tiny number rounds to 1: use log1p.")

log1p_of_a_large_exp = mistake.edited(
    "return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))", "return torch.log1p(torch.exp(x))",
    "exp(x) is inf for large x, and so is your answer: log1p helps only for small numbers. Never call exp on large "
    "positive numbers.")

the_small_end_rounds_to_zero = mistake.edited("torch.log1p(torch.exp(-x.abs()))", "torch.log(1 + torch.exp(-x.abs()))",
    "For very negative x you give 0: 1 plus a tiny number rounds to 1 and its log is 0. log1p keeps the tiny number.")

where_hides_an_inf = mistake.edited(
    "x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))",
    "torch.where(x > 10, x + torch.log1p(torch.exp(-x.abs())), torch.log1p(torch.exp(x)))",
    "The values are right but the gradient is nan for large x: exp(x) is inf in between. torch.where also computes the "
    "gradient of the branch that was not chosen: make that branch finite first, for example with a clamped x.")

clamps_the_input = mistake.edited(
    "x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))", "torch.log1p(torch.exp(x.clamp(max=10)))",
    "Every large x gives the same answer, as when x is clamped before exp: the answer must keep growing like x.")


@mistake("log1pexp")
def shifts_by_the_largest(x):
    """You shifted by the largest element of the whole tensor: the small elements are then lost, and an empty tensor
    has no maximum. Each element needs its own shift."""
    top = x.max().detach()
    return top + torch.log(torch.exp(-top) + torch.exp(x - top))


@mistake("log1pexp")
def works_in_place(x):
    """You changed the caller's x, as methods that end in an underscore and assignments such as x[mask] = 0 do. Compute
    a new tensor."""
    with torch.no_grad():
        small = torch.log1p(torch.exp(-x.abs()))
        return x.clamp_(min=0) + small


exp_overflows_in_float16 = mistake.edited(
    "x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))", "torch.where(x > 30, x, torch.log1p(torch.exp(x.clamp(max=30))))",
    "At 15 your float16 answer is inf: float16 ends at 65504, and exp(12) is more. exp(-|x|) is at most 1 in every dtype.",
    about="float16_works")

answers_in_float64 = mistake.edited("return x.clamp", "x = x.double()\nreturn x.clamp",
    "Your result is float64: keep the dtype of x. The right formula needs no more digits.")

grows_below_zero = mistake.edited("torch.exp(-x.abs())", "torch.exp(-x)",
    "For negative x the term log1p(exp(-x)) grows: it needs exp(-|x|), which is at most 1.")

max_only = mistake.edited("return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))", "return x.clamp(min=0)",
    "Your answer is max(x, 0), the large part alone: near 0 and below, add log1p(exp(-|x|)).")


@mistake("log1pexp")
def one_number_through_math(x):
    """A tensor without axes gets no gradient, as after .item(): the formula for tensors works for it, too."""
    if x.dim():
        return maximum_and_minimum(x)
    return torch.tensor(max(x.item(), 0.0) + math.log1p(math.exp(-abs(x.item()))), dtype=x.dtype, device=x.device)


@mistake("log1pexp")
def takes_x_for_itself_too_early(x):
    """Near 10 you already return x itself: log1p(exp(-x)) still matters there, and the derivative is not yet 1. Add it
    everywhere."""
    large = x > 10
    return torch.where(large, x, torch.log1p(torch.exp(torch.where(large, torch.zeros_like(x), x))))


x_minus_log_of_a_sigmoid = mistake.edited(
    "x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))", "x - torch.log(torch.sigmoid(x))",
    "For negative x your formula is the difference of two numbers that are nearly the same, or inf, which loses the "
    "tiny answer: it has to come from log1p(exp(-|x|)) alone.")

nan_becomes_a_number = mistake.edited(
    "x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))",
    "torch.where(x > 0, x, torch.zeros_like(x)) + torch.log1p(torch.exp(-x.abs())).nan_to_num(0.0)",
    "nan is treated as 0: nan must give nan.")


@mistake("log1pexp")
def takes_exp_for_the_answer_too_early(x):
    """Near -10 you already return exp(x) itself, which is right to only four digits there: log1p(exp(x)) has them all."""
    exact = x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))
    return torch.where(x < -10, torch.exp(x.clamp(max=0)), exact)


@mistake("log1pexp")
def nothing_below_minus_88(x):
    """For x such as -300 you return 0, where float32 underflows: float64 holds exp(x) down to -700, so neither cut it
    off nor compute in float32."""
    exact = x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))
    return torch.where(x < -88, torch.zeros_like(x), exact)


softplus_does_it = mistake.edited(
    "return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))", "return torch.nn.functional.softplus(x)",
    "torch.nn.functional.softplus does all the work: write the formula with exp and log1p.",
    forbidden="torch.nn.functional.softplus")

logsigmoid_does_it = mistake.edited(
    "return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))", "return -torch.nn.functional.logsigmoid(-x)",
    "torch.nn.functional.logsigmoid does all the work: write the formula with exp and log1p.", forbidden="logsigmoid")

logaddexp_does_it = mistake.edited(
    "return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))", "return torch.logaddexp(x, torch.zeros_like(x))",
    "torch.logaddexp (or logaddexp2) does all the work: write the formula with exp and log1p.", forbidden="torch.logaddexp")

logaddexp2_does_it = mistake.edited(
    "return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))",
    "return torch.logaddexp2(x / math.log(2), torch.zeros_like(x)) * math.log(2)",
    "torch.logaddexp (or logaddexp2) does all the work: write the formula with exp and log1p.", forbidden="torch.logaddexp2")

logsumexp_does_it = mistake.edited(
    "return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))", "large = torch.stack([x, torch.zeros_like(x)]).logsumexp(0)\nreturn torch.where(x > -5, large, torch.log1p(torch.exp(x.clamp(max=0))))",
    "torch.logsumexp does all the work: write the formula with exp and log1p.", forbidden="torch.logsumexp")

where_hides_an_inf_at_both_ends = mistake.edited(
    "x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))",
    "torch.where(x > 0, x + torch.log1p(torch.exp(-x)), torch.log1p(torch.exp(x)))",
    "The values are right but the gradient is nan far from 0, where exp(x) or exp(-x) is inf in between. torch.where"
    " also computes the gradient of the branch that was not chosen: make that branch finite first, for example with "
    "-abs(x).")


@alternative("log1pexp")
def two_safe_branches(x):
    """where, with an input made safe for each branch."""
    positive, negative = x.clamp(min=0), x.clamp(max=0)
    return torch.where(x > 0, x + torch.log1p(torch.exp(-positive)), torch.log1p(torch.exp(negative)))


@alternative("log1pexp")
def maximum_and_minimum(x):
    """The larger of x and 0, plus log1p of exp of the smaller of x and -x."""
    return torch.maximum(x, torch.zeros_like(x)) + torch.minimum(x, -x).exp().log1p()


@alternative("log1pexp")
def half_and_half(x):
    """exp(-|x|) as the product of two halves."""
    size = x.abs()
    positive = torch.relu(x)
    return positive.add(torch.log1p(torch.exp(size / -2) * torch.exp(size / -2)))


log_softmax_does_it = mistake.edited(
    "return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))",
    "return -torch.log_softmax(torch.stack([torch.zeros_like(x), x]), 0)[0]",
    "log_softmax does all the work: write the formula with exp and log1p.", forbidden="log_softmax")

a_loss_does_it = mistake.edited(
    "return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))",
    "return torch.nn.functional.binary_cross_entropy_with_logits(x, torch.zeros_like(x), reduction=\"none\")",
    "A loss does all the work: write the formula with exp and log1p.", forbidden="losses")
