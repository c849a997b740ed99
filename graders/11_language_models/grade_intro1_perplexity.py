"""Hidden checks for perplexity and bits_per_character."""

import math

from torchdojo.grading import built, check

CONCEPTS = ("L14",)

KEPT = {"one_batch_has_the_exponential": "the formula itself, worth points without uneven batches"}

FLOAT32 = (1e-5, 1e-5)  # the sums may be float32: of up to 12 losses below 4, the difference is at most 2e-6


class oracle:
    """A product of probabilities, token by token, and its logarithm."""

    def perplexity(losses, tokens):
        every = [loss for loss, count in zip(losses, tokens, strict=True) for _ in range(count)]
        mean = math.fsum(every) / len(every)
        return 1 / math.exp(-mean) if mean < 700 else math.inf

    def bits_per_character(loss, tokens, characters):
        return sum(loss for _ in range(tokens)) * math.log2(math.e) / characters


def uneven(case):
    """Batches of different sizes, the last one the smallest, with different losses."""
    count = 2 + case.number % 3
    losses = [case.rng.randrange(1, 16) / 4 for _ in range(count)]
    losses[-1] = losses[0] + 0.75
    return [losses, [5 + case.rng.randrange(6) for _ in range(count - 1)] + [1 + case.number % 3]]


@check(points=2, loss=[0.0, 0.5, 1.25, 3.0], tokens=[1, 7], devices=False, tolerance=FLOAT32)
def one_batch_has_the_exponential(solution, loss, tokens):
    """The perplexity of a single batch is the exponential of its loss."""
    return solution.perplexity([loss], [tokens])


@check(points=3, batches=built(uneven, axes="n"), devices=False, tolerance=FLOAT32)
def every_token_counts_the_same(solution, batches):
    """In batches of different sizes, each token counts the same."""
    losses, tokens = batches
    return solution.perplexity(list(losses), list(tokens))


@check(points=3, loss=[0.5, 1.25, 3.0], tokens=[1, 3, 40], characters=[2, 12, 90], devices=False, tolerance=FLOAT32)
def bits_are_shared_by_the_characters(solution, loss, tokens, characters):
    """The bits of all tokens are divided by the number of characters."""
    return solution.bits_per_character(loss, tokens, characters)


@check(points=1, star=True, loss=[0.5, 2.0], devices=False)
def batches_without_tokens_do_not_count(solution, loss):
    """A batch with 0 tokens doesn't count, even if its loss is nan."""
    without = solution.perplexity([loss, 1.0], [3, 3])
    return {
        "with an empty batch at the end": math.isclose(solution.perplexity([loss, 1.0, math.nan], [3, 3, 0]), without, rel_tol=1e-5),
        "with an empty batch first": math.isclose(solution.perplexity([math.nan, loss, 1.0], [0, 3, 3]), without, rel_tol=1e-5),
        "with another loss": math.isclose(solution.perplexity([loss, 9.0], [3, 3]), without, rel_tol=1e-5),
    }


@check(points=1, star=True, loss=[5000.0, 1e6], devices=False)
def a_huge_loss_has_an_infinite_perplexity(solution, loss):
    """If the exponential is too large for a float, the perplexity is inf."""
    return {"inf for this loss": math.isinf(solution.perplexity([loss], [2])), "inf for the loss 1": math.isinf(solution.perplexity([1.0], [2]))}
