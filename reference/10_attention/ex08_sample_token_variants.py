"""Known mistakes and unusual but correct solutions for token_probabilities and draw."""

import torch
from ex08_sample_token import token_probabilities
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place-L11-1": "the zeros are nobody else's",
    "add_detach-L11-1": "tokens are drawn from the probabilities; no gradient is asked for",
    "change_dim-L11-2": "there are two axes",
    "drop_dim-L12-1": "there are two axes",
    "change_dim-L12-2": "there are two axes",
    "force_branch-L13-2": "a slice up to None is all of it, and the sum is 1 already",
    "in_place_update-L16-1": "the sorted probabilities are nobody else's",
    "in_place-L17-1": "the zeros are nobody else's",
    "add_detach-L17-1": "tokens are drawn from the probabilities; no gradient is asked for",
    "add_detach-L22-1": "tokens are integers",
}

HINTS = (
    "Each step changes logits, and one softmax at the end makes probabilities. What logit does a token get that must never be drawn?",
    "topk gives the smallest logit that is kept. For top_p sort the probabilities and look at their cumulative sum: a token stays if the sum of those before "
    "it is still smaller than top_p. Then bring the mask back to the old order.",
    "Divide, then fill with -inf below the smallest kept logit, then fill with -inf where the sorted mask, scattered back to the positions that sort "
    "returned, is False. torch.multinomial draws, and it returns a column.",
)


def kept_by_p(probabilities, top_p):
    """A mask of the tokens that top_p keeps."""
    ordered, places = probabilities.sort(descending=True)
    return torch.zeros_like(probabilities, dtype=torch.bool).scatter(1, places, ordered.cumsum(-1) - ordered < top_p)


def normalized(probabilities, keep):
    """Only what is kept, with sum 1."""
    kept = probabilities * keep
    return kept / kept.sum(-1, keepdim=True)


multiplies_by_the_temperature = mistake.edited("(logits / temperature)", "(logits * temperature)",
    "The logits were multiplied by the temperature: divide, so that a low temperature makes the likely tokens likelier.",
    common=True)

divides_by_a_tiny_temperature = mistake.edited(
    """
    if temperature == 0:
        return torch.zeros_like(logits).scatter(1, logits.argmax(dim=1, keepdim=True), 1.0)
    """,
    "temperature = max(temperature, 1e-3)",
    "At temperature 0 other tokens get a share if their logits are nearly as large, as after dividing by a tiny number: the largest logit has probability 1.",
    about="greedy_is_certain")

ignores_the_temperature = mistake.edited("(logits / temperature)", "logits",
    "The temperature has no effect, except 0: divide the logits by it.",
    common=True)


@mistake("token_probabilities")
def temperature_after_softmax(logits, temperature=1.0, top_k=None, top_p=None):
    """Softmax was applied before the temperature, and again after it: divide the logits, then apply softmax once."""
    return F.softmax(token_probabilities(logits, 1.0 if temperature else 0, top_k, top_p) / (temperature or 1), -1)


@mistake("token_probabilities", about="greedy_is_certain", common=True)
def divides_by_zero(logits, temperature=1.0, top_k=None, top_p=None):
    """Temperature 0 divided by 0 and gave nan: treat it as a case of its own."""
    return token_probabilities(logits, temperature, top_k, top_p) if temperature else (logits / temperature).softmax(-1)


@mistake("token_probabilities", about="top_k_keeps_the_largest", common=True, pitfall="A logit of 0 is not a probability of 0")
def logit_zero(logits, temperature=1.0, top_k=None, top_p=None):
    """Tokens outside the top k got the logit 0, and so a probability: give them -inf."""
    if top_k is None:
        return token_probabilities(logits, temperature, None, top_p)
    least = logits.topk(min(top_k, logits.shape[1])).values[:, -1:]
    return token_probabilities(logits.masked_fill((logits < least) & (logits > -torch.inf), 0.0), temperature, None, top_p)


@mistake("token_probabilities", about="top_k_keeps_the_largest")
def not_normalized_after_top_k(logits, temperature=1.0, top_k=None, top_p=None):
    """After top_k the probabilities don't sum to 1: divide by their sum, or fill logits with -inf before softmax."""
    full = token_probabilities(logits, temperature)
    return full * (token_probabilities(logits, temperature, top_k, top_p) > 0) if temperature else token_probabilities(logits, 0)


@mistake("token_probabilities", about="top_k_keeps_the_largest")
def one_threshold_for_all_rows(logits, temperature=1.0, top_k=None, top_p=None):
    """One threshold was used for all rows: each row has its own top k."""
    if top_k is not None and temperature:
        least = logits.topk(min(top_k, logits.shape[1])).values[:, -1].max()
        least = torch.minimum(least, logits.amax(1, keepdim=True))
        logits, top_k = logits.masked_fill(logits < least, -torch.inf), None
    return token_probabilities(logits, temperature, top_k, top_p)


one_too_few = mistake.edited(
    "if top_k is not None:", "if top_k is not None:\n    top_k = max(1, min(top_k, logits.shape[1]) - 1)",
    "One token too few was kept: the smallest of the top_k largest logits stays, too.",
    about="top_k_keeps_the_largest")

stops_before_p = mistake.edited(
    "ordered.cumsum(dim=1) - ordered < top_p",
    "(ordered.cumsum(dim=1) <= top_p) | (torch.arange(ordered.shape[1], device=ordered.device) == 0)",
    "The token that reaches top_p was left out, so the kept tokens add up to less than top_p: keep it. Compare the sum before "
    "each token.",
    about="top_p_keeps_the_most_likely", common=True)


greedy_at_one = mistake.edited(
    "(ordered.cumsum(dim=1) - ordered < top_p)",
    "(ordered.cumsum(dim=1) - ordered < (top_p if top_p < 1 else 0.001))",
    "With top_p=1.0 only the most likely token is kept: 1.0 keeps every token.",
    about="top_p_has_two_ends")

nothing_for_a_small_p = mistake.edited(
    "ordered.cumsum(dim=1) - ordered < top_p",
    "ordered.cumsum(dim=1) - ordered < top_p - 1e-6",
    "With a very small top_p no token is kept, and the probabilities are nan: keep the most likely token in any case.",
    about="top_p_has_two_ends")


@mistake("token_probabilities", about="top_p_keeps_the_most_likely")
def stays_sorted(logits, temperature=1.0, top_k=None, top_p=None):
    """After top_p the probabilities were left in sorted order: bring them back to the order of the tokens."""
    found = token_probabilities(logits, temperature, top_k, top_p)
    return found if top_p is None else found.sort(descending=True).values


@mistake("token_probabilities", about="top_p_keeps_the_most_likely")
def adds_up_unsorted(logits, temperature=1.0, top_k=None, top_p=None):
    """The probabilities were added up in the order of the vocabulary: sort them first, the most likely first."""
    full = token_probabilities(logits, temperature, top_k)
    return full if top_p is None else normalized(full, full.cumsum(-1) - full < top_p)


at_least_that_likely = mistake.edited(
    "ordered.cumsum(dim=1) - ordered < top_p", "(ordered >= top_p) | (ordered == ordered[:, :1])",
    "top_p was used as the smallest probability of a token: it is the sum that the kept tokens reach together.",
    about="top_p_keeps_the_most_likely")


@mistake("token_probabilities", about="steps_come_in_order")
def top_p_before_top_k(logits, temperature=1.0, top_k=None, top_p=None):
    """top_p used the probabilities from before top_k was applied: compute them again after top_k, so that they sum to 1."""
    if top_p is None or not temperature:
        return token_probabilities(logits, temperature, top_k)
    keep = kept_by_p(token_probabilities(logits, temperature), top_p)
    return token_probabilities(logits.masked_fill(~keep, -torch.inf), temperature, top_k)


@mistake("token_probabilities", about="steps_come_in_order")
def temperature_comes_last(logits, temperature=1.0, top_k=None, top_p=None):
    """top_p used the probabilities from before the temperature was applied: divide the logits first, and apply top_p last."""
    if top_p is None or not temperature:
        return token_probabilities(logits, temperature, top_k)
    keep = kept_by_p(token_probabilities(logits, 1.0, top_k), top_p)
    return token_probabilities(logits.masked_fill(~keep, -torch.inf), temperature, top_k)


raises_for_large_top_k = mistake.edited(
    "if temperature == 0:", "if top_k is not None:\n    logits.topk(top_k)\nif temperature == 0:",
    "topk raised an error because top_k is larger than vocab: take the smaller of the two.",
    about="large_top_k_keeps_all", common=True)

always_the_likeliest = mistake.edited(
    "return torch.multinomial(probabilities, 1, generator=generator).squeeze(1)",
    "return probabilities.argmax(-1)",
    "Every row got the most likely token: draw with the probabilities.")

a_column = mistake.edited(".squeeze(1)", "",
    "The result is a column of shape (batch, 1): remove its last axis.")

ignores_the_generator = mistake.edited(", generator=generator", "",
    "The generator has no effect: pass it on to the function that draws.",
    about="the_generator_decides", common=True)


@mistake("draw", about="the_generator_decides")
def starts_again(probabilities, generator=None):
    """A second call drew the same tokens: use the generator as it is, without seeding it again."""
    again = None if generator is None else torch.Generator().manual_seed(generator.initial_seed())
    return torch.multinomial(probabilities, 1, generator=again).squeeze(1)


@mistake("draw")
def one_number_for_all_rows(probabilities, generator=None):
    """All rows were drawn with the same random number: each row needs its own."""
    number = torch.rand(1, generator=generator, device=probabilities.device)
    return (probabilities.cumsum(-1) <= number).sum(-1).clamp(max=probabilities.shape[-1] - 1)


uniform_over_what_is_possible = mistake.edited(
    "multinomial(probabilities", "multinomial((probabilities > 0).to(probabilities.dtype)",
    "All possible tokens were drawn equally often: draw with the probabilities, not only from the tokens that have one.",
    about="tokens_come_as_often_as_they_should")

greedy_gives_integers = mistake.edited(
    "return torch.zeros_like(logits).scatter(1, logits.argmax(dim=1, keepdim=True), 1.0)",
    "return F.one_hot(logits.argmax(dim=1), logits.shape[1])",
    "At temperature 0 the result is int64: convert it to the dtype of logits.",
    about="greedy_is_certain",
)

keeps_nothing = mistake.edited(
    "ordered.cumsum(dim=1) - ordered < top_p",
    "ordered.cumsum(dim=1) <= top_p",
    "The token that reaches top_p was left out, and if it is the first one, nothing is kept: keep it. Compare the "
    "sum before each token.",
    about="top_p_keeps_the_most_likely",
)

@mistake("token_probabilities", about="top_p_keeps_the_most_likely")
def gathers_the_sorted_mask(logits, temperature=1.0, top_k=None, top_p=None):
    """top_p kept the wrong tokens: bring the sorted mask back to the order of the vocabulary, with scatter and the indices from sort."""
    full = token_probabilities(logits, temperature, top_k)
    if top_p is None:
        return full
    ordered, places = full.sort(descending=True)
    return normalized(full, (ordered.cumsum(-1) - ordered < top_p).gather(1, places))


@alternative("token_probabilities")
def fills_with_minus_infinity(logits, temperature=1.0, top_k=None, top_p=None):
    """Logits of -inf where a token is left out, and one softmax at the end."""
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[1]).to(logits.dtype)
    logits = logits / temperature
    if top_k is not None:
        least = logits.topk(min(top_k, logits.shape[1])).values[:, -1:]
        logits = logits.masked_fill(logits < least, -torch.inf)
    if top_p is not None:
        logits = logits.masked_fill(~kept_by_p(logits.softmax(-1), top_p), -torch.inf)
    return logits.softmax(-1)


@alternative("token_probabilities")
def row_by_row(logits, temperature=1.0, top_k=None, top_p=None):
    """A loop over the rows that counts how many tokens stay."""
    found = torch.zeros_like(logits)
    for row, out in zip(logits, found, strict=True):
        order = row.argsort(descending=True)
        order = order[:1] if temperature == 0 else order[:top_k]
        p = torch.softmax(row[order] / (temperature or 1), 0)
        if top_p is not None:
            count = int((p.cumsum(0) < top_p).sum()) + 1
            order, p = order[:count], p[:count] / p[:count].sum()
        out[order] = p
    return found


@alternative("draw")
def with_exponential_clocks(probabilities, generator=None):
    """The first of several exponential clocks rings: a race with the right odds."""
    clocks = torch.empty_like(probabilities).exponential_(generator=generator)
    return (probabilities / clocks).argmax(dim=-1)


@alternative("draw")
def from_the_cumulative_sum(probabilities, generator=None):
    """One uniform number for each row, looked up among the cumulative sums."""
    sums = probabilities.double().cumsum(-1)
    numbers = torch.rand(len(probabilities), 1, generator=generator, dtype=torch.float64) * sums[:, -1:]
    return torch.searchsorted(sums.contiguous(), numbers, right=True).squeeze(1)
