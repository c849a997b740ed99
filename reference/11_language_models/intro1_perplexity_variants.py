"""Known mistakes and unusual but correct solutions for perplexity and bits_per_character."""

import math

import torch

from torchdojo.variants import alternative, mistake

HINTS = (
    "A mean over 100 tokens and a mean over 3 tokens: how do you get the mean over all 103?",
    "A mean times its number of tokens is a sum. Add the sums, divide once by the number of all tokens, and take the exponential last. For the bits, "
    "the sum of the losses is in nats, and one bit is log(2) nats.",
    "Loop over losses and tokens together, add loss times count, and leave out counts of 0. Divide by the sum of the counts and return math.exp of "
    "that, or math.inf if it raises. The bits are loss times tokens, divided by log(2) and by the characters.",
)
EQUIVALENT = {
    "drop_keyword: total = sum(loss * count for loss, count in zip(losses, tokens) if count > 0)": "there are as many losses as counts",
    "wrong_name: total = sum(loss * count for loss, count in zip(losses, tokens, strict=True) if loss > 0)": "a loss of 0 adds nothing, and nan isn't above 0",
}

MEAN = "total / sum(tokens)"
BITS = "loss * tokens / (math.log(2) * characters)"


mean_of_the_means = mistake.edited(MEAN, "sum(losses) / len(losses)",
    "You averaged the means of the batches, so a token of a small batch counts more: weight each mean by its number of tokens.",
    common=True,
    pitfall="The mean of the batches' means")


@mistake("perplexity", about="every_token_counts_the_same")
def mean_of_the_means_of_real_batches(losses, tokens):
    """You averaged the means of the batches, so a token of a small batch counts more: weight each mean by its number of tokens."""
    means = [loss for loss, count in zip(losses, tokens) if count > 0]
    try:
        return math.exp(sum(means) / len(means))
    except OverflowError:
        return math.inf


@mistake("perplexity", about="every_token_counts_the_same")
def mean_of_the_perplexities(losses, tokens):
    """You averaged the perplexities of the batches: average the losses over all tokens, and take the exponential last."""
    return sum(math.exp(loss) * count for loss, count in zip(losses, tokens)) / sum(tokens)


@mistake("perplexity", about="every_token_counts_the_same")
def plain_mean_of_the_perplexities(losses, tokens):
    """You took the plain mean of the batches' perplexities: average the losses over all tokens, and take the exponential last."""
    return sum(math.exp(loss) for loss in losses) / len(losses)


divides_by_the_batches = mistake.edited(MEAN, "total / len(losses)",
    "The sum over all tokens was divided by the number of batches: divide by the number of tokens.")

the_sum_of_the_losses = mistake.edited(MEAN, "total",
    "You took the exponential of the sum of all losses: divide by the number of tokens first.")

the_loss_itself = mistake.edited("return math.exp(total / sum(tokens))", "return total / sum(tokens)",
    "You returned the mean loss: the perplexity is its exponential.",
    common=True)

a_power_of_two = mistake.edited("math.exp(total / sum(tokens))", "2.0 ** (total / sum(tokens))",
    "You raised 2 to the loss, which is right for a loss in bits: cross_entropy is in nats, so use the exponential.",
    common=True)

the_probability = mistake.edited("math.exp(total / sum(tokens))", "math.exp(-total / sum(tokens))",
    "You returned 1 divided by the perplexity, a mean probability: leave out the minus.")

the_last_batch_is_left_out = mistake.edited("if count > 0)", "if count > 0 and count == max(tokens))",
    "Smaller batches don't count: all tokens belong to the mean.",
    also=[("sum(tokens)", "sum(count for count in tokens if count == max(tokens))")])

nan_of_an_empty_batch = mistake.edited(" if count > 0)", ")",
    "A batch without tokens has the loss nan, and nan times 0 is nan: skip such a batch.",
    about="batches_without_tokens_do_not_count")

raises_for_a_huge_loss = mistake.edited(
    """
    try:
        return math.exp(total / sum(tokens))
    except OverflowError:
        return math.inf
    """,
    """
    return math.exp(total / sum(tokens))
    """,
    "math.exp raises an OverflowError for a number above about 709: the perplexity is inf there.",
    about="a_huge_loss_has_an_infinite_perplexity")

caps_the_mean = mistake.edited("math.exp(total / sum(tokens))", "math.exp(min(total / sum(tokens), 700.0))",
    "A huge loss gives a finite perplexity, as when the mean is capped before exp: it is inf there.",
    about="a_huge_loss_has_an_infinite_perplexity")

nats_per_character = mistake.edited(BITS, "loss * tokens / characters",
    "You returned nats per character: divide by log(2) to get bits.",
    common=True)

multiplies_by_log_2 = mistake.edited(BITS, "loss * tokens * math.log(2) / characters",
    "The result is the nats times log(2): a bit is log(2) nats, so the same loss in bits is a larger number. Divide.")

bits_per_token = mistake.edited(BITS, "loss / math.log(2)",
    "You returned bits per token: multiply by the tokens and divide by the characters.",
    common=True)

the_ratio_upside_down = mistake.edited(BITS, "loss * characters / (math.log(2) * tokens)",
    "Tokens and characters are exchanged: the bits of all tokens are divided by the number of characters.")

divides_the_loss_only = mistake.edited(BITS, "loss / (math.log(2) * characters)",
    "The mean loss of one token was divided by all characters: multiply it by the number of tokens first.")

log_10 = mistake.edited(BITS, "loss * tokens / (math.log(10) * characters)",
    "The result is in decimal digits, as with log(10): bits need log(2).")


@alternative("perplexity")
def with_tensors(losses, tokens):
    """A dot product of tensors, whose exponential has no error for large numbers."""
    counts = torch.tensor(tokens, dtype=torch.float32)
    means = torch.tensor(losses).where(counts > 0, 0.0)
    return (means @ counts / counts.sum()).exp().item()


@alternative("perplexity")
def a_running_mean(losses, tokens):
    """The mean is corrected by each batch."""
    mean, seen = 0.0, 0
    for i in range(len(losses)):
        if tokens[i] == 0:
            continue
        seen += tokens[i]
        mean += (losses[i] - mean) * tokens[i] / seen
    return math.e**mean if mean < 709 else float("inf")


by_log2 = alternative.edited(BITS, "math.log2(math.exp(loss)) * tokens / characters",
    "The logarithm with base 2 of the perplexity.")
